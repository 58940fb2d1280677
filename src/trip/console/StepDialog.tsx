import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RESUMABLE_ABOVE } from '~/src/services/services'
import { Button, TextInput } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { Icon } from '~/src/ui/Icon'
import { smallPicture, toDataUrl } from '~/src/ui/picture'
import { useNow } from '~/src/ui/useNow'
import type { PhotoField } from '../outbox/outgoing'
import type { RefusedStep } from '../outbox/outbox'
import css from './StepDialog.module.css'

const CODE_LENGTH = 5

/** Seconds until a locked code may be tried again; 0 when it may. */
const useLock = (refused: RefusedStep | undefined): number => {
  const now = useNow()
  const seconds = Number(refused?.refusal.params?.seconds ?? 0)
  if (!refused || refused.refusal.key !== 'code_locked') return 0
  return Math.max(0, Math.ceil((refused.at + seconds * 1000 - now) / 1000))
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
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(false)
  const take = async (file: File | undefined) => {
    if (!file) return
    setBusy(true)
    setFailed(false)
    try {
      onPhoto(await toDataUrl(await smallPicture(file, RESUMABLE_ABOVE)))
    } catch {
      setFailed(true)
    } finally {
      setBusy(false)
    }
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

/** What a step needs before it can be taken: the rider's code, a photo, or both. */
export const StepDialog = ({
  title,
  button,
  needsCode,
  photoField,
  refused,
  busy,
  onDone,
  onClose,
}: {
  title: string
  button: string
  needsCode: boolean
  photoField: PhotoField | null
  refused: RefusedStep | undefined
  busy: boolean
  onDone: (given: { otp?: number; photo?: string }) => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const [photo, setPhoto] = useState<string | null>(null)
  const lock = useLock(refused)
  const complete =
    (!needsCode || code.length === CODE_LENGTH) && (!photoField || photo !== null) && lock === 0
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!complete || busy) return
    onDone({ ...(needsCode && { otp: Number(code) }), ...(photo && { photo }) })
  }
  const problem = () => {
    if (lock > 0) return t('code_locked_for', { count: lock })
    if (!refused || refused.refusal.key === 'code_locked') return undefined
    return t(refused.refusal.key, refused.refusal.params ?? {})
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={css.form} onSubmit={send}>
        {photoField && <PhotoInput field={photoField} photo={photo} onPhoto={setPhoto} />}
        {needsCode && (
          <div className={css.code}>
            <TextInput
              label={t('trip_code')}
              hint={t('code_hint')}
              error={problem()}
              value={code}
              inputMode="numeric"
              pattern="[0-9]*"
              autoComplete="off"
              maxLength={CODE_LENGTH}
              dir="ltr"
              autoFocus={!photoField}
              disabled={lock > 0}
              onChange={({ target }) =>
                setCode(target.value.replace(/\D/g, '').slice(0, CODE_LENGTH))
              }
            />
          </div>
        )}
        {!needsCode && problem() && <p role="alert">{problem()}</p>}
        <Button type="submit" look="primary" size="large" wide busy={busy} disabled={!complete}>
          {button}
        </Button>
      </form>
    </Dialog>
  )
}
