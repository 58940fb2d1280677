import { useTranslation } from 'react-i18next'
import { requestPosition, selectGps } from '~/src/features/gps/gps'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './GpsProblem.module.css'

/** Says that the driver's position is unknown, and what they can do about it. */
export const GpsProblem = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { error, isDenied } = useAppSelector(selectGps)
  const { busy, run } = useSingleRun()
  const again = () => void run(() => dispatch(requestPosition()))
  if (!error) return null
  return (
    <div role="alert" className={css.problem}>
      <Icon name="warning" size={24} />
      <p>{t(isDenied ? 'gps_denied' : 'gps_unknown')}</p>
      <Button size="small" busy={busy} onClick={again}>
        {t('try_again')}
      </Button>
    </div>
  )
}
