import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '~/domain/entities'
import type { Refusal } from '~/domain/errors'
import { goOffline, goOnline } from '~/src/features/gps/duty'
import { findPosition } from '~/src/features/gps/gps'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { screens } from '~/src/store/screens'
import { ButtonLink } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { allowHorn } from '../horn'
import { selectOutbox } from '../outbox/outbox'
import { LicenceInput } from '../vehicle/Licence'
import css from './DutyCard.module.css'
import { readinessOf } from './readiness'

/** On and off duty, and what stands in the way. */
export const DutyCard = ({ driver }: { driver: User }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { online } = useAppSelector(selectOutbox)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Refusal | null>(null)
  const onDuty = driver.driverActiveStatus === true
  const { musts, shoulds } = readinessOf(driver)
  const mayTurn = online && (onDuty || musts.length === 0)

  const turn = async () => {
    setBusy(true)
    setProblem(null)
    try {
      if (onDuty) await dispatch(goOffline({ driver, quiet: true })).unwrap()
      else {
        allowHorn()
        const place = await dispatch(findPosition())
        // Why not, and what to do about it, stands above.
        if (!place) return
        await dispatch(goOnline({ driver, place, quiet: true })).unwrap()
      }
    } catch (error) {
      setProblem(error as Refusal)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className={css.card} data-on={onDuty || undefined} aria-labelledby="duty-title">
      <div className={css.head}>
        <div>
          <h2 id="duty-title">{t(onDuty ? 'duty_on_title' : 'duty_off_title')}</h2>
          <p>{t(onDuty ? 'duty_on_text' : 'duty_off_text')}</p>
        </div>
        <button
          type="button"
          role="switch"
          aria-checked={onDuty}
          aria-label={t('duty_switch')}
          aria-busy={busy || undefined}
          disabled={!mayTurn}
          className={css.switch}
          onClick={busy ? undefined : () => void turn()}
        >
          <span className={css.knob}>
            <Icon name="power" size={26} />
          </span>
        </button>
      </div>
      {problem && (
        <p role="alert" className={css.problem}>
          {t(problem.key, problem.params ?? {})}
        </p>
      )}
      {musts.length > 0 && !onDuty && (
        <div className={css.lacks}>
          <h3>{t('lacks_title')}</h3>
          <ul role="list">
            {musts.map((key) => (
              <li key={key}>{t(key)}</li>
            ))}
          </ul>
        </div>
      )}
      {shoulds.length > 0 && (
        <div className={css.lacks}>
          <ul role="list">
            {shoulds.map((key) => (
              <li key={key}>{t(key)}</li>
            ))}
          </ul>
          {shoulds.includes('lacks_licence') && <LicenceInput driver={driver} />}
          {shoulds.includes('lacks_vehicle_number') && (
            <ButtonLink to={screens.vehicle} size="small">
              {t('your_vehicle')}
            </ButtonLink>
          )}
        </div>
      )}
    </section>
  )
}
