import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { signOut } from '~/src/features/auth/account'
import identityTexts from '~/src/i18n/locales/en/identity.json'
import { translateError } from '~/src/i18n/errorTexts'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'
import { CodeForm } from '~/src/site/login/CodeForm'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector, useAppStore, useServices } from '~/src/store/hooks'
import { useSubmission } from '~/src/store/useSubmission'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { Refusal } from '~/src/ui/forms/Refusal'

/**
 * Asks a person whose sign-in is not fresh to prove who they are with a code, for the calls that
 * wait for it.
 */
export const FreshSignInDialog = () => {
  useAddedTexts(identityTexts)
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { auth } = useServices()
  const { freshSignIn } = useAppStore().extra
  const phone = useAppSelector(selectProfile)?.mobile ?? ''
  const [verificationId, setVerificationId] = useState<string | null>(null)
  const { busy, refused, submit } = useSubmission()
  const send = () => submit(async () => setVerificationId(await auth.requestCode(phone)))
  const verify = async (id: string, code: string) => {
    if (await submit(() => auth.verifyCode(id, code))) freshSignIn.answer(true)
  }
  const decline = () => freshSignIn.answer(false)
  if (verificationId !== null)
    return (
      <Dialog title={t('fresh_sign_in_title')} onClose={decline}>
        <CodeForm
          phone={phone}
          verificationId={verificationId}
          busy={busy}
          refused={refused ? translateError(refused, t) : undefined}
          onCode={(code) => void verify(verificationId, code)}
          onResend={() => void send()}
          onBack={decline}
        />
      </Dialog>
    )
  return (
    <Dialog
      title={t('fresh_sign_in_title')}
      onClose={decline}
      problem={<Refusal error={refused} />}
      actions={
        phone ? (
          <Button variant="primary" size="large" wide busy={busy} onClick={() => void send()}>
            {t('get_code')}
          </Button>
        ) : (
          <Button variant="primary" size="large" wide onClick={() => void dispatch(signOut())}>
            {t('logout')}
          </Button>
        )
      }
    >
      <p>{phone ? t('fresh_sign_in_text', { phone }) : t('fresh_sign_in_again')}</p>
    </Dialog>
  )
}
