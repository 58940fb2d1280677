import { useTranslation } from 'react-i18next'
import { useLive } from '~/src/store/liveSlice'
import { cancelReasons } from './cancelReasons'

/** What may be chosen as the reason of a cancel. An office that gives no reasons keeps nobody from cancelling. */
export const useReasons = (): { reasons: string[]; loading: boolean } => {
  const { t } = useTranslation()
  const { complex, loading } = useLive(cancelReasons)
  const given = complex.map(({ label }) => label)
  return { reasons: loading || given.length > 0 ? given : [t('reason_other')], loading }
}
