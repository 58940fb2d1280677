import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findPosition, selectGps } from '~/src/features/gps/gps'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import css from './GpsProblem.module.css'

/** That nobody knows where the driver is, and what he can do about it. */
export const GpsProblem = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { error, denied } = useAppSelector(selectGps)
  const [busy, setBusy] = useState(false)
  const again = () => {
    setBusy(true)
    void dispatch(findPosition()).then(() => setBusy(false))
  }
  if (!error) return null
  return (
    <div role="alert" className={css.problem}>
      <Icon name="warning" size={24} />
      <p>{t(denied ? 'gps_denied' : 'gps_unknown')}</p>
      <Button size="small" busy={busy} onClick={again}>
        {t('try_again')}
      </Button>
    </div>
  )
}
