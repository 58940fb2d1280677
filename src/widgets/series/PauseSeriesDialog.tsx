import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DomainError } from '~/domain/api/errors'
import { formatDay } from '~/domain/language/zonedTime'
import { translateError } from '~/src/i18n/errorTexts'
import { Button, TextInput } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { useFormat } from '~/src/ui/format/format'
import { Refusal } from '~/src/ui/forms/Refusal'
import { useSingleRun } from '~/src/ui/useSingleRun'

/** Asks for the first and the last day of a pause. */
export const PauseSeriesDialog = ({
  onPause,
  onClose,
}: {
  onPause: (from: string, to: string) => Promise<unknown>
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { timezone = 'UTC' } = useFormat()
  const [from, setFrom] = useState(() => formatDay(Date.now(), timezone))
  const [to, setTo] = useState('')
  const [refused, setRefused] = useState<DomainError | null>(null)
  const { busy, run } = useSingleRun({ isLast: true })
  const pause = () => {
    run(() => onPause(from, to).then(onClose)).catch(setRefused)
  }
  const errorAt = (field: string) =>
    refused?.field === field ? translateError(refused, t) : undefined
  return (
    <Dialog
      title={t('series_pause')}
      onClose={onClose}
      problem={refused?.field !== 'from' && refused?.field !== 'to' && <Refusal error={refused} />}
      actions={
        <Button variant="primary" busy={busy} disabled={from === ''} onClick={pause}>
          {t('series_pause')}
        </Button>
      }
    >
      <TextInput
        required
        type="date"
        label={t('series_pause_from')}
        value={from}
        error={errorAt('from')}
        onChange={({ target }) => setFrom(target.value)}
      />
      <TextInput
        type="date"
        label={t('series_pause_to')}
        min={from}
        value={to}
        error={errorAt('to')}
        onChange={({ target }) => setTo(target.value)}
      />
    </Dialog>
  )
}
