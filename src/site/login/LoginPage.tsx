import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { getHomePage } from '~/domain/access/permissions'
import { socialSignIn } from '~/src/features/auth/account'
import { liveSettings } from '~/src/features/settings/settings'
import { selectAuth, signInCancelled } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { Link, navigate, useNavigationState } from '~/src/ui/navigation/router'
import { TermsLink } from '../TermsLink'
import css from './LoginPage.module.css'
import { PhoneSignIn } from './PhoneSignIn'
import { WaitingForApproval } from './WaitingForApproval'

/** Renders sign-in by phone and code or a social account, then opens the start page of the role. */
export const LoginPage = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { info, verificationId, error } = useAppSelector(selectAuth)
  const { settings, loading: isLoadingSettings } = useLive(liveSettings)
  useEffect(() => {
    return () => void dispatch(signInCancelled())
  }, [dispatch])

  const state = useNavigationState() as { from?: string; forBooking?: boolean } | null
  // A link to one booking is followed; otherwise each role has its own start page.
  const booking = /^\/bookings\/./.test(state?.from ?? '') ? state?.from : undefined
  const nextPage = info && (booking ?? getHomePage(info.usertype))
  useEffect(() => {
    if (nextPage) navigate(nextPage, { replace: true })
  }, [nextPage])
  if (nextPage) return null
  if (error.msg === 'require_approval') return <WaitingForApproval />
  return (
    <div className={css.page}>
      <section className={css.card}>
        <h1>{t('login_title')}</h1>
        {state?.forBooking ? (
          <p className={css.kept}>
            <Icon name="check" />
            <span>
              {t('must_login')} {t('login_kept')}
            </span>
          </p>
        ) : (
          <p className={css.text}>{t('login_text')}</p>
        )}
        <PhoneSignIn />
        {settings?.FacebookLoginEnabled && !verificationId && (
          <>
            <p className={css.or}>{t('or')}</p>
            {(['facebook', 'apple', 'google'] as const).map((provider) => (
              <Button key={provider} wide onClick={() => void dispatch(socialSignIn(provider))}>
                {t(`continue_${provider}`)}
              </Button>
            ))}
          </>
        )}
      </section>
      {/* The settings decide how high the card is and how many links the line has. */}
      {!isLoadingSettings && (
        <p className={css.home}>
          <Link to={screenPaths.driverSignUp}>{t('drive_with_us')}</Link>
          <Link to={screenPaths.privacy}>{t('privacy_policy')}</Link>
          <TermsLink />
        </p>
      )}
    </div>
  )
}
