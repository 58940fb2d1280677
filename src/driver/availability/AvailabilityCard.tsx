import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DomainError } from '~/domain/api/errors'
import { goOffline, goOnline } from '~/src/features/gps/availability'
import { requestPosition } from '~/src/features/gps/gps'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { ButtonLink } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { unlockSound } from '~/src/ui/feedback/sound'
import { selectOutbox } from '../outbox/outbox'
import { LicenseInput } from '../vehicle/LicenseInput'
import css from './AvailabilityCard.module.css'
import { getMissingRequirements } from './missingRequirements'
import { useSingleRun } from '~/src/ui/useSingleRun'
import type { User } from '~/domain/accounts/types'

/** Shows the duty switch and everything that prevents its use. */
export const AvailabilityCard = ({ driver }: { driver: User }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { isOnline } = useAppSelector(selectOutbox)
  const { busy, run } = useSingleRun()
  const [problem, setProblem] = useState<DomainError | null>(null)
  const onDuty = driver.driverActiveStatus === true
  const { required, recommended } = getMissingRequirements(driver)
  const mayTurn = isOnline && (onDuty || required.length === 0)

  const turn = () =>
    run(async () => {
      setProblem(null)
      if (onDuty) await dispatch(goOffline.quiet({ driver })).unwrap()
      else {
        unlockSound()
        const place = await dispatch(requestPosition())
        // The position problem above already shows the reason and what to do.
        if (!place) return
        await dispatch(goOnline.quiet({ driver, position: place })).unwrap()
      }
    }).catch((error: unknown) => setProblem(error as DomainError))
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
          aria-disabled={busy || undefined}
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
          {translateError(problem, t)}
        </p>
      )}
      {required.length > 0 && !onDuty && (
        <div className={css.lacks}>
          <h3>{t('lacks_title')}</h3>
          <ul role="list">
            {required.map((key) => (
              <li key={key}>{t(key)}</li>
            ))}
          </ul>
        </div>
      )}
      {recommended.length > 0 && (
        <div className={css.lacks}>
          <ul role="list">
            {recommended.map((key) => (
              <li key={key}>{t(key)}</li>
            ))}
          </ul>
          {recommended.includes('lacks_licence') && <LicenseInput driver={driver} />}
          {recommended.includes('lacks_vehicle_number') && (
            <ButtonLink to={screenPaths.vehicle} size="small">
              {t('your_vehicle')}
            </ButtonLink>
          )}
        </div>
      )}
    </section>
  )
}
