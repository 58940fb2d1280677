import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { liveSettings } from '~/src/features/settings/settings'
import {
  type ApprovalRequest,
  approvalRequestShown,
  selectAuth,
  signInCancelled,
} from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, ButtonLink } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { navigate } from '~/src/ui/navigation/router'
import { useArrivalFocus } from '~/src/ui/useArrivalFocus'
import css from './LoginPage.module.css'

/** Lists what the office has of a request, and since when. */
const RequestParts = ({ request }: { request: ApprovalRequest }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const parts = [
    { text: t('waiting_profile'), isThere: true },
    ...(request.usertype === 'driver'
      ? [
          { text: t('waiting_vehicle'), isThere: request.hasVehicle },
          { text: t('licenseImage'), isThere: request.hasLicense },
        ]
      : []),
  ]
  return (
    <>
      <ul role="list" className={css.parts}>
        {parts.map(({ text, isThere }) => (
          <li key={text} data-missing={!isThere || undefined}>
            <Icon name={isThere ? 'check' : 'warning'} />
            <span>{text}</span>
            <small>{t(isThere ? 'waiting_received' : 'waiting_missing')}</small>
          </li>
        ))}
      </ul>
      <p className={css.text}>
        {t('waiting_since', { date: format.date(Date.parse(request.createdAt)) })}
      </p>
    </>
  )
}

/** Says that the office has yet to approve an account, and what it has received of it. */
export const WaitingForApproval = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { approvalRequest: request } = useAppSelector(selectAuth)
  const { settings } = useLive(liveSettings)
  const heading = useArrivalFocus()
  useEffect(() => {
    dispatch(approvalRequestShown())
  }, [dispatch])
  const isDriver = request?.usertype === 'driver'
  const lacksParts = isDriver && !(request.hasVehicle && request.hasLicense)
  const email = settings?.contact_email
  const logInAgain = () => {
    dispatch(signInCancelled())
    navigate(screenPaths.login)
  }
  return (
    <div className={css.page}>
      <section className={css.card}>
        <h1 ref={heading} tabIndex={-1}>
          {t('signup_waiting_title')}
        </h1>
        <p className={css.text}>{t(isDriver ? 'signup_waiting_text' : 'require_approval')}</p>
        {request && <RequestParts request={request} />}
        {email && (
          <p className={css.text}>
            {t(lacksParts ? 'waiting_send_rest' : 'waiting_ask')}{' '}
            <a href={`mailto:${email}`}>
              <bdi dir="ltr">{email}</bdi>
            </a>
          </p>
        )}
        <Button wide onClick={logInAgain}>
          {t('log_in_again')}
        </Button>
        <ButtonLink to={screenPaths.home} variant="quiet" wide>
          {t('menu_home')}
        </ButtonLink>
      </section>
    </div>
  )
}
