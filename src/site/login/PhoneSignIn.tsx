import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mobileSignIn, requestCode } from '~/src/features/auth/operations'
import { type CycleError, selectAuth, signInCancelled } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { CodeForm } from './CodeForm'
import { PhoneForm } from './PhoneForm'

/** Why a session was turned away: a notice, because it can happen on every page. */
const SAID_ELSEWHERE = new Set([
  'require_approval',
  'not_valid_user_type',
  'user_issue_contact_admin',
])

/** What of a failed sign-in belongs at the phone field; the provider's code and message as the catalogue has them. */
const useSignInError = ({ flag, msg, params }: CycleError): string | undefined => {
  const { t } = useTranslation()
  if (!flag || !msg || SAID_ELSEWHERE.has(msg) || params?.message === 'not_logged_in')
    return undefined
  return params?.code ? t('auth_error_code', params) : t(msg, params ?? {})
}

/** Phone, then code; the session that follows is the page's to notice. */
export const PhoneSignIn = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { verificationId, loading, error } = useAppSelector(selectAuth)
  const [phone, setPhone] = useState<string | null>(null)
  const refused = useSignInError(error)
  if (!phone || !verificationId)
    return (
      <PhoneForm
        busy={loading}
        refused={refused}
        onSend={(number) => {
          setPhone(number)
          dispatch(signInCancelled())
          void dispatch(requestCode(number))
        }}
      />
    )
  return (
    <CodeForm
      phone={phone}
      verificationId={verificationId}
      busy={loading}
      refused={error.flag && error.msg ? t(error.msg, error.params ?? {}) : undefined}
      onCode={(code) => void dispatch(mobileSignIn(verificationId, code))}
      onResend={() => void dispatch(requestCode(phone))}
      onBack={() => {
        setPhone(null)
        dispatch(signInCancelled())
      }}
    />
  )
}
