import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/src/ui/format/format'
import { FareLines } from '~/src/widgets/trip/FareLines'
import type { DraftedForm } from '~/src/widgets/trip/useBookingDraft'
import css from './AddBookingPage.module.css'

/** Shows the estimate, or what it waits for. */
const Estimate = ({ form: { quote, route, ...form } }: { form: DraftedForm }) => {
  const { t } = useTranslation()
  const format = useFormat()
  if (quote && route)
    return (
      <>
        <p className={css.muted}>
          {format.distance(quote.distance)} · {format.duration(route.time_in_secs)}
        </p>
        {route.approximate && <p className={css.muted}>{t('approximate_route')}</p>}
        <FareLines lines={quote.lines} total={quote.estimateFare} />
      </>
    )
  const isOnItsWay = form.car && form.isLooking
  return (
    <p className={css.muted}>
      {t(
        form.hasRouteFailed ? 'no_route_found' : isOnItsWay ? 'estimate_loading' : 'estimate_waits',
      )}
    </p>
  )
}

/** Shows the estimate; `children` are the refusal and the buttons. */
export const EstimatePanel = ({ form, children }: { form: DraftedForm; children: ReactNode }) => {
  const { t } = useTranslation()
  return (
    <section className={css.estimate} aria-live="polite">
      <h2>{t('estimate')}</h2>
      <Estimate form={form} />
      {children}
    </section>
  )
}
