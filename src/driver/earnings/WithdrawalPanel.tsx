import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withdrawalForm, type WithdrawalForm as Values } from '~/domain/forms/userForms'
import { toMinorUnits } from '~/domain/money/money'
import { shouldShowBankFields } from '~/domain/access/permissions'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { isPayoutWaiting } from '~/domain/money/withdrawals'
import { updateProfile } from '~/src/features/auth/account'
import { requestWithdrawal, liveWithdrawals } from '~/src/features/withdrawals/withdrawals'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { useIdempotencyKey } from '~/src/store/useIdempotencyKey'
import { Button } from '~/src/ui/controls'
import { ConfirmDialog } from '~/src/ui/dialogs/Dialog'
import { StatusChip } from '~/src/ui/feedback/StatusChip'
import { NumberField, TextField } from '~/src/ui/forms/fields'
import { useSchemaForm } from '~/src/ui/forms/useSchemaForm'
import { Money, useFormat } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import { useNow } from '~/src/ui/useNow'
import css from './WalletPage.module.css'
import { BANK_FIELDS, type User } from '~/domain/accounts/types'
import type { Settings } from '~/domain/catalog/types'
import type { Withdrawal } from '~/domain/money/types'

const WithdrawalForm = ({ user, settings }: { user: User; settings: Settings }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { decimal } = settings
  const { getKey, reset } = useIdempotencyKey()
  /** The amount to confirm in a dialog. */
  const [amountToConfirm, setAmountToConfirm] = useState<number | null>(null)
  const withBank = shouldShowBankFields(settings)
  /** True once this form has changed the bank details. */
  const [isBankNew, setBankNew] = useState(false)
  const saveBankAndAsk = async ({ amount, ...bank }: Values) => {
    const isOther = withBank && BANK_FIELDS.some((name) => bank[name] !== (user[name] ?? ''))
    if (isOther) {
      setBankNew(true)
      await dispatch(updateProfile.quiet({ uid: user.id, changes: bank })).unwrap()
    }
    setAmountToConfirm(amount)
  }
  const send = async (amount: number) => {
    const withdraw_id = await getKey({ amount })
    await dispatch(requestWithdrawal({ withdraw_id, amount })).unwrap()
    reset()
    form.resetField('amount')
    dispatch(noticeRaised({ tone: 'success', text: 'withdraw_asked' }))
  }
  const { form, element, field, submit, isSubmitting, problem } = useSchemaForm({
    schema: withdrawalForm({ balance: user.walletBalance, decimal }),
    initial: {
      amount: null,
      bankName: user.bankName ?? '',
      bankCode: user.bankCode ?? '',
      bankAccount: user.bankAccount ?? '',
    },
    onSubmit: saveBankAndAsk,
  })
  return (
    <form ref={element} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <NumberField
        label={t('withdraw_amount')}
        unit="money"
        hint={t('withdraw_most', { amount: format.money(Math.max(0, user.walletBalance)) })}
        {...field('amount')}
      />
      {withBank &&
        BANK_FIELDS.map((name) => (
          <TextField key={name} label={t(name)} autoComplete="off" {...field(name)} />
        ))}
      {problem && (
        <p role="alert" className={css.problem}>
          {problem}
        </p>
      )}
      <Button
        type="submit"
        variant="primary"
        size="large"
        wide
        busy={isSubmitting}
        disabled={toMinorUnits(user.walletBalance, decimal) <= 0}
      >
        {t('withdraw_ask')}
      </Button>
      {amountToConfirm !== null && (
        <ConfirmDialog
          title={t('withdraw_confirm', { amount: format.money(amountToConfirm) })}
          confirm={t('withdraw_ask')}
          onConfirm={() => send(amountToConfirm)}
          onClose={() => setAmountToConfirm(null)}
        >
          <p>{t('withdraw_confirm_text')}</p>
          {isBankNew && <p>{t('withdraw_bank_wait')}</p>}
        </ConfirmDialog>
      )}
    </form>
  )
}

const WithdrawalLine = ({ withdrawal, now }: { withdrawal: Withdrawal; now: number }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { amount, date, processed, procesDate, returned_at, payable_at: payableAt = 0 } = withdrawal
  const closedAt = returned_at ?? procesDate
  return (
    <li className={css.line}>
      <span>
        <b>
          <Money amount={amount} />
        </b>
        <small>
          <DateTime at={date} />
        </small>
        {isPayoutWaiting(withdrawal, now) && (
          <small>{t('withdraw_not_before', { time: format.dateTime(payableAt) })}</small>
        )}
      </span>
      <span className={css.amounts}>
        {returned_at === undefined ? (
          <StatusChip tone={processed ? 'success' : 'warning'}>
            {t(processed ? 'withdraw_done' : 'withdraw_waits')}
          </StatusChip>
        ) : (
          <StatusChip tone="muted">{t('withdraw_returned')}</StatusChip>
        )}
        {closedAt !== undefined && (
          <small>
            <DateTime at={closedAt} only="date" />
          </small>
        )}
      </span>
    </li>
  )
}

/** Lets the user request a withdrawal, and shows the status of earlier ones. */
export const WithdrawalPanel = ({ user, settings }: { user: User; settings: Settings }) => {
  const { t } = useTranslation()
  const { withdraws } = useLive(liveWithdrawals, 30)
  const now = useNow(MINUTE_MS)
  return (
    <section className={css.card} aria-labelledby="withdraw-title">
      <h2 id="withdraw-title">{t('withdraw_title')}</h2>
      <WithdrawalForm key={user.id} user={user} settings={settings} />
      {withdraws.length > 0 && (
        <ol role="list" className={css.lines} aria-label={t('withdraw_requests')}>
          {withdraws.map((withdrawal) => (
            <WithdrawalLine key={withdrawal.id} withdrawal={withdrawal} now={now} />
          ))}
        </ol>
      )}
    </section>
  )
}
