import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '~/src/ui/controls'
import { UserPicker, type PickedPerson } from '../people/UserPicker'
import { DriverParts } from './DriverParts'
import css from './offers.module.css'

/** Explains why a driver of the user's choice did not get a booking. */
export const WhyNotDriver = ({ booking }: { booking: string }) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [driver, setDriver] = useState<PickedPerson | null>(null)
  if (!isOpen)
    return (
      <div>
        <Button size="small" onClick={() => setOpen(true)}>
          {t('why_not')}
        </Button>
      </div>
    )
  return (
    <section className={css.whyNot} aria-label={t('why_not')}>
      <UserPicker
        label={t('why_not_driver')}
        usertypes={['driver']}
        value={driver}
        onChange={setDriver}
      />
      {driver && <DriverParts key={driver.id} driver={driver.id} booking={booking} />}
    </section>
  )
}
