import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { SegmentedControl, TextInput } from '~/src/ui/controls'
import type { DraftedForm } from './useBookingDraft'

/** Asks for a booking now or later, and for the time of a later one; `time` is its field. */
export const TripTime = ({
  form,
  legend,
  time,
}: {
  form: DraftedForm
  legend: string
  time: Pick<ComponentProps<typeof TextInput>, 'label' | 'hint' | 'required' | 'error'>
}) => {
  const { t } = useTranslation()
  const { draft } = form
  return (
    <>
      <SegmentedControl
        legend={legend}
        value={draft.later ? 'later' : 'now'}
        onChange={(value) => form.chooseLater(value === 'later')}
        options={[
          { value: 'now', label: t('book_now') },
          { value: 'later', label: t('book_later') },
        ]}
      />
      {draft.later && (
        <TextInput
          {...time}
          type="datetime-local"
          value={draft.when}
          {...form.range}
          onChange={({ target }) => form.change({ when: target.value })}
        />
      )}
    </>
  )
}
