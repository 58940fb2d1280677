import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roundAmount } from '~/domain/money/money'
import { collectMyData } from '~/src/features/auth/personalData'
import { deleteMyAccount, endSessions } from '~/src/features/auth/account'
import { filterActive, liveBookings } from '~/src/features/bookings/bookings'
import { canDeleteAccount, DeletionBalance } from '~/src/features/users/DeletionBalance'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, TextInput } from '~/src/ui/controls'
import { ConfirmDialog } from '~/src/ui/dialogs/Dialog'
import { Icon } from '~/src/ui/Icon'
import { navigate } from '~/src/ui/navigation/router'
import { downloadFile } from '~/src/ui/downloadFile'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './ProfilePage.module.css'
import type { User } from '~/domain/accounts/types'

const DeletionDialog = ({ profile, onClose }: { profile: User; onClose: () => void }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { bookings } = useLive(liveBookings, { size: 50 })
  const [typed, setTyped] = useState('')
  const [missing, setMissing] = useState(false)
  // The balance when the user checked the box; later credits are not given up.
  const [waived, setWaived] = useState<number | null>(null)
  const [isBlockedByBalance, setIsBlockedByBalance] = useState(false)
  // Float rounding errors do not count as money.
  const balance = roundAmount(profile.walletBalance, 6)
  const word = t('delete_word')
  const open = filterActive(bookings).filter(({ status }) => status !== 'PAID').length
  const confirm = async () => {
    if (typed.trim().toLocaleLowerCase() !== word.toLocaleLowerCase()) {
      setMissing(true)
      throw new Error('The word was not typed.')
    }
    if (!canDeleteAccount(balance, waived === balance)) {
      setIsBlockedByBalance(true)
      throw new Error('The wallet keeps the account.')
    }
    await dispatch(deleteMyAccount(balance > 0 ? { waive_balance: true, balance } : {})).unwrap()
    dispatch(noticeRaised({ tone: 'success', text: 'account_deleted' }))
    navigate(screenPaths.home)
  }
  return (
    <ConfirmDialog
      danger
      title={t('delete_title')}
      confirm={t('delete_do')}
      onClose={onClose}
      onConfirm={confirm}
    >
      <p>{t('delete_text')}</p>
      <DeletionBalance
        balance={balance}
        label="waive_balance"
        isWaived={waived === balance}
        isMissing={isBlockedByBalance}
        onWaived={(isWaived) => setWaived(isWaived ? balance : null)}
        className={css.warning}
      />
      {open > 0 && (
        <p className={css.warning}>
          <Icon name="warning" />
          {t('delete_open', { count: open })}
        </p>
      )}
      <TextInput
        label={t('delete_type', { word })}
        value={typed}
        autoComplete="off"
        error={missing ? t('delete_type', { word }) : undefined}
        onChange={({ target }) => {
          setTyped(target.value)
          setMissing(false)
        }}
      />
    </ConfirmDialog>
  )
}

/** Lets the person download their data and delete their account. */
export const AccountPanel = ({ profile }: { profile: User }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { busy, run } = useSingleRun()
  const [deleting, setDeleting] = useState(false)
  const [signingOut, setSigningOut] = useState(false)
  const download = () =>
    run(async () => {
      const mine = await dispatch(collectMyData(profile)).unwrap()
      downloadFile('kerbside-my-data.json', 'application/json', JSON.stringify(mine, null, 2))
      // Said by the operation's own notice.
    }).catch(() => undefined)
  return (
    <section className={css.form}>
      <h2>{t('my_data')}</h2>
      <p>{t('my_data_text')}</p>
      <div className={css.foot}>
        <Button busy={busy} onClick={() => void download()}>
          <Icon name="download" size={18} />
          {t('my_data_download')}
        </Button>
        <Button onClick={() => setSigningOut(true)}>{t('sessions_end')}</Button>
        <Button variant="danger" onClick={() => setDeleting(true)}>
          <Icon name="trash" size={18} />
          {t('delete_account')}
        </Button>
      </div>
      {deleting && <DeletionDialog profile={profile} onClose={() => setDeleting(false)} />}
      {signingOut && (
        <ConfirmDialog
          title={t('sessions_end')}
          confirm={t('sessions_end_do')}
          onClose={() => setSigningOut(false)}
          onConfirm={() => dispatch(endSessions(profile.id)).unwrap()}
        >
          <p>{t('sessions_end_text')}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
