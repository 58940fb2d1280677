import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings, User } from '~/domain/entities'
import { type Refusal, refusal } from '~/domain/errors'
import { toMinor } from '~/domain/money'
import { showsBankFields } from '~/domain/permissions'
import { updateProfile } from '~/src/features/auth/operations'
import { requestWithdraw, withdraws as liveWithdraws } from '~/src/features/withdraws/withdraws'
import { useAppDispatch, useServices } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { Button, StatusChip, TextInput } from '~/src/ui/controls'
import { DateTime, Money, useFormat } from '~/src/ui/format'
import css from './WalletPage.module.css'

const BANK = ['bankName', 'bankCode', 'bankAccount'] as const

const WithdrawForm = ({ user, settings }: { user: User; settings: Settings }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { database } = useServices()
  const [amount, setAmount] = useState('')
  const [bank, setBank] = useState({
    bankName: user.bankName ?? '',
    bankCode: user.bankCode ?? '',
    bankAccount: user.bankAccount ?? '',
  })
  // One key for one request: pressing again after a lost answer asks for nothing more.
  const [withdrawId, setWithdrawId] = useState<string | null>(null)
  const [refused, setRefused] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  const withBank = showsBankFields(settings)

  const wrong = (asked: number): Refusal | null => {
    const { decimal } = settings
    if (!(toMinor(asked, decimal) > 0)) return refusal('no_details_error', 'amount')
    if (toMinor(asked, decimal) > toMinor(user.walletBalance, decimal))
      return refusal('withdraw_too_much', 'amount')
    return null
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const asked = Number(amount.replace(',', '.'))
    const problem = wrong(Number.isFinite(asked) ? asked : 0)
    setRefused(problem)
    if (problem) return
    setBusy(true)
    try {
      const withdraw_id = withdrawId ?? (await database.newKey())
      setWithdrawId(withdraw_id)
      const changed = BANK.some((field) => bank[field].trim() !== (user[field] ?? ''))
      if (withBank && changed) {
        const changes = Object.fromEntries(BANK.map((field) => [field, bank[field].trim()]))
        await dispatch(updateProfile({ uid: user.id, changes, quiet: true })).unwrap()
      }
      await dispatch(requestWithdraw({ withdraw_id, amount: asked, quiet: true })).unwrap()
      setAmount('')
      setWithdrawId(null)
      dispatch(noticeRaised({ tone: 'success', text: 'withdraw_asked' }))
    } catch (error) {
      setRefused(error as Refusal)
    } finally {
      setBusy(false)
    }
  }
  const errorAt = (field: string) =>
    refused?.field === field
      ? t(refused.key === 'no_details_error' ? 'amount_needed' : refused.key, refused.params ?? {})
      : undefined
  return (
    <form className={css.form} noValidate onSubmit={(event) => void send(event)}>
      <TextInput
        label={t('withdraw_amount')}
        hint={t('withdraw_most', { amount: format.money(Math.max(0, user.walletBalance)) })}
        error={errorAt('amount')}
        value={amount}
        inputMode="decimal"
        onChange={({ target }) => {
          setAmount(target.value)
          setWithdrawId(null)
        }}
      />
      {withBank &&
        BANK.map((field) => (
          <TextInput
            key={field}
            label={t(field)}
            value={bank[field]}
            error={errorAt(field)}
            autoComplete="off"
            onChange={({ target }) => setBank({ ...bank, [field]: target.value })}
          />
        ))}
      {refused && !errorAt(refused.field ?? '') && (
        <p role="alert" className={css.problem}>
          {t(refused.key, refused.params ?? {})}
        </p>
      )}
      <Button
        type="submit"
        look="primary"
        size="large"
        wide
        busy={busy}
        disabled={user.walletBalance <= 0}
      >
        {t('withdraw_ask')}
      </Button>
    </form>
  )
}

/** Money out of the wallet: asking for it, and what has become of earlier requests. */
export const Withdraw = ({ user, settings }: { user: User; settings: Settings }) => {
  const { t } = useTranslation()
  const { withdraws } = useLive(liveWithdraws, 30)
  return (
    <section className={css.card} aria-labelledby="withdraw-title">
      <h2 id="withdraw-title">{t('withdraw_title')}</h2>
      <WithdrawForm key={user.id} user={user} settings={settings} />
      {withdraws.length > 0 && (
        <ol role="list" className={css.lines} aria-label={t('withdraw_requests')}>
          {withdraws.map(({ id, amount, date, processed, procesDate }) => (
            <li key={id} className={css.line}>
              <span>
                <b>
                  <Money amount={amount} />
                </b>
                <small>
                  <DateTime at={date} />
                </small>
              </span>
              <span className={css.amounts}>
                <StatusChip tone={processed ? 'success' : 'warning'}>
                  {t(processed ? 'withdraw_done' : 'withdraw_waits')}
                </StatusChip>
                {procesDate !== undefined && (
                  <small>
                    <DateTime at={procesDate} only="date" />
                  </small>
                )}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
