import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mobileSignIn, requestCode } from '~/src/features/auth/account'
import { type SliceError, selectAuth, signInCancelled } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { CodeForm } from './CodeForm'
import { PhoneForm } from './PhoneForm'

/** Reasons for a rejected session, shown as a notice because they can occur on every page. */
const ERRORS_SHOWN_AS_NOTICE = new Set([
  'require_approval',
  'not_valid_user_type',
  'sign_in_not_offered',
  'user_issue_contact_admin',
])

/**
 * Returns the sign-in error to show at the phone field, with the provider's own code and message.
 */
const useSignInError = ({ flag, msg, params }: SliceError): string | undefined => {
  const { t } = useTranslation()
  if (!flag || !msg || ERRORS_SHOWN_AS_NOTICE.has(msg) || params?.message === 'not_logged_in')
    return undefined
  return params?.code ? t('auth_error_code', params) : t(msg, params ?? {})
}

/** Renders phone number, then code; the page reacts to the session that follows. */
export const PhoneSignIn = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { verificationId, loading, error } = useAppSelector(selectAuth)
  const [phone, setPhone] = useState<string | null>(null)
  const refused = useSignInError(error)
  if (!phone || !verificationId)
    return (
      <PhoneForm
        // The visitor waits for a code, and not for the session that may still be restored.
        busy={loading && phone !== null}
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
