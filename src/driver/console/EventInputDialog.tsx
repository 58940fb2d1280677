import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { translateError } from '~/src/i18n/errorTexts'
import { RESUMABLE_ABOVE } from '~/src/services/services'
import { Button, TextInput } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { Icon } from '~/src/ui/Icon'
import { compressToJpeg, toDataUrl } from '~/src/ui/imageFiles'
import { useNow } from '~/src/ui/useNow'
import type { PhotoField } from '../outbox/outboxItem'
import type { RejectedEvent } from '../outbox/outbox'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './EventInputDialog.module.css'
import type { Seconds } from '~/domain/language/units'

const CODE_LENGTH = 5

/** Returns the seconds until a locked code may be tried again, or 0. */
const useCodeLockSeconds = (refused: RejectedEvent | undefined): Seconds => {
  const now = useNow()
  const seconds = Number(refused?.error.params?.seconds ?? 0)
  if (!refused || refused.error.key !== 'code_locked') return 0
  return Math.max(0, Math.ceil((refused.rejectedAt + seconds * 1000 - now) / 1000))
}

const PhotoInput = ({
  field,
  photo,
  onPhoto,
}: {
  field: PhotoField
  photo: string | null
  onPhoto: (url: string) => void
}) => {
  const { t } = useTranslation()
  const { busy, run } = useSingleRun()
  const [failed, setFailed] = useState(false)
  const take = async (file: File | undefined) => {
    if (!file) return
    setFailed(false)
    await run(async () =>
      onPhoto(await toDataUrl(await compressToJpeg(file, RESUMABLE_ABOVE))),
    ).catch(() => setFailed(true))
  }
  return (
    <div className={css.photo}>
      {photo && <img src={photo} alt={t(`${field}_taken`)} />}
      <label className={css.camera} aria-busy={busy || undefined}>
        <Icon name="camera" size={28} />
        {t(photo ? 'photo_again' : `${field}_take`)}
        <input
          type="file"
          accept="image/*"
          capture="environment"
          className="visually-hidden"
          onChange={({ target }) => void take(target.files?.[0])}
        />
      </label>
      {failed && <p role="alert">{t('picture_unreadable')}</p>}
    </div>
  )
}

/** Asks for the code that the rider tells the driver. */
const CodeInput = ({
  code,
  error,
  isLocked,
  isFirst,
  onCode,
}: {
  code: string
  error: string | undefined
  isLocked: boolean
  isFirst: boolean
  onCode: (code: string) => void
}) => {
  const { t } = useTranslation()
  return (
    <div className={css.code}>
      <TextInput
        label={t('trip_code')}
        hint={t('code_hint')}
        error={error}
        value={code}
        inputMode="numeric"
        pattern="[0-9]*"
        autoComplete="off"
        maxLength={CODE_LENGTH}
        dir="ltr"
        autoFocus={isFirst}
        disabled={isLocked}
        onChange={({ target }) => onCode(target.value.replace(/\D/g, '').slice(0, CODE_LENGTH))}
      />
    </div>
  )
}

/** Collects the input of an event: the rider's code, a photo, or both. */
export const EventInputDialog = ({
  title,
  button: submitLabel,
  needsCode: isCodeRequired,
  photoField,
  refused: rejectedEvent,
  busy,
  onDone,
  onClose,
}: {
  title: string
  button: string
  needsCode: boolean
  photoField: PhotoField | null
  refused: RejectedEvent | undefined
  busy: boolean
  onDone: (proof: { otp?: number; photo?: string }) => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const [photo, setPhoto] = useState<string | null>(null)
  const lock = useCodeLockSeconds(rejectedEvent)
  const complete =
    (!isCodeRequired || code.length === CODE_LENGTH) &&
    (!photoField || photo !== null) &&
    lock === 0
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!complete || busy) return
    onDone({ ...(isCodeRequired && { otp: Number(code) }), ...(photo && { photo }) })
  }
  const problem = () => {
    if (lock > 0) return t('code_locked_for', { count: lock })
    if (!rejectedEvent || rejectedEvent.error.key === 'code_locked') return undefined
    return translateError(rejectedEvent.error, t)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={css.form} onSubmit={send}>
        {photoField && <PhotoInput field={photoField} photo={photo} onPhoto={setPhoto} />}
        {isCodeRequired && (
          <CodeInput
            code={code}
            error={problem()}
            isLocked={lock > 0}
            isFirst={!photoField}
            onCode={setCode}
          />
        )}
        {!isCodeRequired && problem() && <p role="alert">{problem()}</p>}
        <Button type="submit" variant="primary" size="large" wide busy={busy} disabled={!complete}>
          {submitLabel}
        </Button>
      </form>
    </Dialog>
  )
}
