import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isLoginCode } from '~/domain/accounts/userAccounts'
import { useServices } from '~/src/store/hooks'
import { Button, TextInput } from '~/src/ui/controls'
import css from './LoginPage.module.css'

const RESEND_SECONDS = 30

const useCountdown = (): [number, () => void] => {
  const [left, setLeft] = useState(0)
  const isRunning = left > 0
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  return [left, () => setLeft(RESEND_SECONDS)]
}

/** Returns the "sent" code in local mode, so that the demo works without a phone. */
const useSentCode = (phone: string | null, verificationId: string | null) => {
  const services = useServices()
  const [offered, setOffered] = useState<{ id: string; code: string } | null>(null)
  useEffect(() => {
    if (!phone || !verificationId) return
    let isWanted = true
    services.auth.fetchSentCode(phone).then(
      (code) => isWanted && code && setOffered({ id: verificationId, code }),
      () => services.report('the sign-in code could not be asked for'),
    )
    return () => {
      isWanted = false
    }
  }, [phone, verificationId, services])
  return offered?.id === verificationId ? offered?.code : undefined
}

/** Renders the buttons that go back and request another code, which has to wait. */
const FormButtons = ({ onBack, onResend }: { onBack: () => void; onResend: () => void }) => {
  const { t } = useTranslation()
  const [left, startCountdown] = useCountdown()
  return (
    <div className={css.row}>
      <Button variant="quiet" size="small" onClick={onBack}>
        {t('cancel')}
      </Button>
      <Button
        variant="quiet"
        size="small"
        disabled={left > 0}
        onClick={() => {
          startCountdown()
          onResend()
        }}
      >
        {left > 0 ? t('resend_in', { seconds: left }) : t('resend_code')}
      </Button>
    </div>
  )
}

interface Props {
  phone: string
  verificationId: string | null
  busy: boolean
  /** Error text, already translated. */
  refused?: string | undefined
  onCode: (code: string) => void
  onResend: () => void
  onBack: () => void
}

/** Asks for the six-digit code; submits a pasted or autofilled code automatically. */
export const CodeForm = ({
  phone,
  verificationId,
  busy,
  refused,
  onCode,
  onResend,
  onBack,
}: Props) => {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const [isTouched, setIsTouched] = useState(false)
  const offered = useSentCode(phone, verificationId)
  const verify = (digits: string) => {
    setIsTouched(false)
    onCode(digits)
  }
  const onType = (text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, 6)
    setCode(digits)
    setIsTouched(true)
    // A pasted or autofilled code should need no button press.
    if (isLoginCode(digits) && digits !== code) verify(digits)
  }
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        verify(code)
      }}
    >
      <p>{t('code_sent', { phone })}</p>
      <TextInput
        label={t('code_label')}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        value={code}
        maxLength={12}
        error={isTouched ? undefined : refused}
        onChange={({ target }) => onType(target.value)}
      />
      {offered && (
        <p className={css.offer}>
          <span>{t('local_code', { code: offered })}</span>
          <Button size="small" onClick={() => onType(offered)}>
            {t('use_code')}
          </Button>
        </p>
      )}
      <Button type="submit" variant="primary" size="large" wide busy={busy}>
        {t('verify_code')}
      </Button>
      <FormButtons
        onBack={onBack}
        onResend={() => {
          setCode('')
          onResend()
        }}
      />
    </form>
  )
}
