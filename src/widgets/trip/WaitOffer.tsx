import { useTranslation } from 'react-i18next'
import type { DomainError } from '~/domain/api/errors'
import waitingTexts from '~/src/i18n/locales/en/waiting.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'
import { Button } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import css from './WaitOffer.module.css'

/** Offers to book without a free driver, after `create_booking` has refused it for that reason. */
export const WaitOffer = ({
  problem,
  isBusy,
  onBook,
}: {
  problem: DomainError | null
  isBusy: boolean
  onBook: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  useAddedTexts(waitingTexts)
  if (problem?.key !== 'no_driver_found_alert_messege') return null
  const seconds = problem.params?.wait_s
  return (
    <div className={css.offer}>
      <p>
        {t('wait_offered')}
        {typeof seconds === 'number' &&
          ` ${t('soonest_pickup', { time: format.duration(seconds) })}`}
      </p>
      <Button wide busy={isBusy} onClick={onBook}>
        {t('book_and_wait')}
      </Button>
    </div>
  )
}
