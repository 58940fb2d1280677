import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DomainError } from '~/domain/api/errors'
import { changeMobile } from '~/src/features/auth/account'
import { translateError } from '~/src/i18n/errorTexts'
import { toDomainError } from '~/src/services/services'
import { useAppDispatch, useServices } from '~/src/store/hooks'
import { noticeRaised } from '~/src/store/notices'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { CodeForm } from '../login/CodeForm'
import { PhoneForm } from '../login/PhoneForm'
import { useSingleRun } from '~/src/ui/useSingleRun'

/** Changes the phone number, which is the sign-in, after a code proves the new one. */
export const PhoneDialog = ({ uid, onClose }: { uid: string; onClose: () => void }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { auth } = useServices()
  const [codeRequest, setCodeRequest] = useState<{ mobile: string; verificationId: string } | null>(
    null,
  )
  const { busy, run } = useSingleRun()
  const [refused, setRefused] = useState<DomainError | null>(null)
  const attempt = (work: () => Promise<void>) =>
    run(() => {
      setRefused(null)
      return work()
    }).catch((error: unknown) =>
      setRefused(error instanceof Error ? toDomainError(error) : (error as DomainError)),
    )
  const send = (mobile: string) =>
    attempt(async () => setCodeRequest({ mobile, verificationId: await auth.requestCode(mobile) }))
  const verify = (code: string) =>
    attempt(async () => {
      if (!codeRequest) return
      await dispatch(changeMobile.quiet({ uid, code, ...codeRequest })).unwrap()
      dispatch(noticeRaised({ tone: 'success', text: 'phone_changed' }))
      onClose()
    })
  const message = refused ? translateError(refused, t) : undefined
  return (
    <Dialog title={t('change_number')} onClose={onClose}>
      <p>{t('change_number_text')}</p>
      {codeRequest ? (
        <CodeForm
          phone={codeRequest.mobile}
          verificationId={codeRequest.verificationId}
          busy={busy}
          refused={message}
          onCode={(code) => void verify(code)}
          onResend={() => void send(codeRequest.mobile)}
          onBack={() => setCodeRequest(null)}
        />
      ) : (
        <PhoneForm busy={busy} refused={message} onSend={(mobile) => void send(mobile)} />
      )}
    </Dialog>
  )
}
