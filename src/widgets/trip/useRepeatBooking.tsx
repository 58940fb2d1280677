import { Suspense, useState } from 'react'
import { saveRecurring } from '~/src/features/recurring/recurring'
import type { WeeklyChoice } from '~/src/features/recurring/RepeatDialog'
import { useAppDispatch } from '~/src/store/hooks'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import type { ReadyBooking } from './bookingChecks'
import type { DraftedForm } from './useBookingDraft'

const RepeatDialog = lazyWithRetry(
  async () => (await import('~/src/features/recurring/RepeatDialog')).RepeatDialog,
)
const RepeatSavedDialog = lazyWithRetry(
  async () => (await import('~/src/features/recurring/RepeatSavedDialog')).RepeatSavedDialog,
)

/** Makes a recurring booking of what a form holds; returns the dialogs to render. */
export const useRepeatBooking = ({
  form,
  customer,
  asksPayment,
  addressConfirmation,
  onSaved,
  onClosed,
}: {
  form: DraftedForm
  /** The rider's uid, for the office. */
  customer?: string | undefined
  asksPayment: boolean
  addressConfirmation?: string
  onSaved?: () => void
  /** Called when the confirmation is closed. */
  onClosed?: () => void
}) => {
  const dispatch = useAppDispatch()
  /** The recurring booking whose dialog is open. */
  const [series, setSeries] = useState<{ id: string; ready: ReadyBooking } | null>(null)
  const [isSaved, setIsSaved] = useState(false)
  const save = async (choice: WeeklyChoice) => {
    if (!series) return
    const owner = customer !== undefined && { customer }
    await dispatch(
      saveRecurring.quiet({ series_id: series.id, ...owner, ...series.ready.trip, ...choice }),
    ).unwrap()
    setSeries(null)
    setIsSaved(true)
    onSaved?.()
  }
  const close = () => {
    setIsSaved(false)
    onClosed?.()
  }
  const dialogs = (
    <Suspense fallback={null}>
      {series && (
        <RepeatDialog
          when={form.draft.when}
          price={(form.quote ?? series.ready.quote).estimateFare}
          asksPayment={asksPayment}
          {...(addressConfirmation !== undefined && { addressConfirmation })}
          onSave={save}
          onClose={() => setSeries(null)}
        />
      )}
      {isSaved && <RepeatSavedDialog onClose={close} />}
    </Suspense>
  )
  const open = (id: string, ready: ReadyBooking) => setSeries({ id, ready })
  return { open, isOpen: series !== null || isSaved, isSaved, dialogs }
}
