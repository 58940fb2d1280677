import { useTranslation } from 'react-i18next'
import inviteTexts from '~/src/i18n/locales/en/invite.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { ENDED_BY_PAGE_CHANGE, noticeRaised } from '~/src/store/notices'
import { Button } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { copyText, shareLink } from '~/src/ui/share'
import css from './InvitePanel.module.css'
import { makeInviteLink } from './referralCode'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/** Shows a rider or driver their own referral code, with buttons to copy and share it. */
export const InvitePanel = ({
  user,
  settings,
}: {
  user: User
  settings: Pick<Settings, 'bonus' | 'bonusDelayDays'> | null | undefined
}) => {
  useAddedTexts(inviteTexts)
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { referralId: code, usertype } = user
  if (!code || (usertype !== 'rider' && usertype !== 'driver')) return null
  const notifyResult = (outcome: 'shared' | 'copied' | 'failed') => {
    if (outcome === 'copied') dispatch(noticeRaised({ tone: 'success', text: 'invite_copied' }))
    if (outcome === 'failed')
      dispatch(
        noticeRaised({ tone: 'problem', text: 'invite_not_copied', endedBy: ENDED_BY_PAGE_CHANGE }),
      )
  }
  const { bonus = 0, bonusDelayDays = 0 } = settings ?? {}
  return (
    <section className={css.panel} aria-labelledby="invite-title">
      <h2 id="invite-title">{t('invite_title')}</h2>
      <p>{bonus > 0 ? t('invite_bonus', { bonus: format.money(bonus) }) : t('invite_text')}</p>
      {bonus > 0 && bonusDelayDays > 0 && (
        <p>{t('invite_bonus_delay', { count: bonusDelayDays })}</p>
      )}
      <p className={css.code}>
        <span>{t('invite_code')}</span>
        <strong>
          <bdi dir="ltr">{code}</bdi>
        </strong>
      </p>
      <div className={css.row}>
        <Button onClick={() => void copyText(code).then(notifyResult)}>
          <Icon name="copy" size={18} />
          {t('invite_copy')}
        </Button>
        <Button
          variant="primary"
          onClick={() => void shareLink(t('invite_title'), makeInviteLink(code)).then(notifyResult)}
        >
          <Icon name="send" size={18} />
          {t('invite_share')}
        </Button>
      </div>
    </section>
  )
}
