import { useTranslation } from 'react-i18next'
import { useLive } from '~/src/store/liveSlice'
import { cancellationReasons } from './cancellationReasons'

/**
 * Returns the reasons a user can choose for a cancellation. Has a fallback reason when none are
 * configured.
 */
export const useCancellationReasons = (): { reasons: string[]; loading: boolean } => {
  const { t } = useTranslation()
  const { complex, loading } = useLive(cancellationReasons)
  const given = complex.map(({ label }) => label)
  return { reasons: loading || given.length > 0 ? given : [t('reason_other')], loading }
}
