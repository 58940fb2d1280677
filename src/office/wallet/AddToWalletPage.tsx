import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { domainError } from '~/domain/api/errors'
import { type AddToWalletForm, addToWalletForm, takeFromWalletForm } from '~/domain/forms/userForms'
import { roundAmount, sumAmounts } from '~/domain/money/money'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { LARGE_AMOUNT } from '~/domain/money/wallet'
import {
  addToWallet,
  type DirectoryPerson,
  takeFromWallet,
  liveUsers,
} from '~/src/features/users/users'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { SegmentedControl } from '~/src/ui/controls'
import { ConfirmDialog } from '~/src/ui/dialogs/Dialog'
import { useFormat } from '~/src/ui/format/format'
import { FromTo } from '~/src/ui/FromTo'
import { EditPage } from '~/src/office/recordPages/EditPage'
import { NumberField, TextField } from '~/src/ui/forms/fields'
import type { BindField } from '~/src/ui/forms/useSchemaForm'
import { useQueryParam } from '~/src/ui/table/tableState'
import { UserPicker } from '../people/UserPicker'
import { useIdempotencyKey } from '~/src/store/useIdempotencyKey'
import { useOfficeSession } from '../useOfficeSession'
import { NOTE_LENGTH } from '~/domain/money/types'

/** A question whose answer the form waits for. */
interface Question {
  values: AddToWalletForm
  /** The second question, about a large amount. */
  isSecond: boolean
  resolve: (isYes: boolean) => void
}

/** The wallet that is changed, and how. */
interface Change {
  isDebit: boolean
  user: DirectoryPerson | null
  /** Undefined while it loads. */
  balance: number | undefined
}

/** Asks before money moves; names the balance before and after. */
const QuestionDialog = ({
  question: { values, isSecond, resolve },
  change: { isDebit, user, balance },
  onClose,
}: {
  question: Question
  change: Change
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useOfficeSession()
  const amount = format.money(values.amount)
  const after = sumAmounts(
    [balance ?? 0, isDebit ? -values.amount : values.amount],
    settings?.decimal ?? 2,
  )
  const name = user ? formatFullName(user) : ''
  const text = t(isDebit ? 'wallet_debit_question' : 'wallet_credit_question', { amount, name })
  return (
    <ConfirmDialog
      danger={isSecond || isDebit}
      waiting={balance === undefined}
      title={isSecond ? t('wallet_large_question', { amount }) : text}
      confirm={t(isDebit ? 'wallet_debit_confirm' : 'wallet_credit_confirm', { amount })}
      onConfirm={() => Promise.resolve(resolve(true))}
      onClose={onClose}
    >
      {isSecond && <p>{text}</p>}
      {balance !== undefined && (
        <p>
          {t('wallet_balance')}: <FromTo from={format.money(balance)} to={format.money(after)} />
        </p>
      )}
      {values.note && <p dir="auto">{values.note}</p>}
    </ConfirmDialog>
  )
}

/** Returns what asks before a change, and the open question. */
const useQuestions = (change: Change) => {
  const { settings } = useOfficeSession()
  const { isDebit, balance } = change
  const [question, setQuestion] = useState<Question | null>(null)
  const ask = (values: AddToWalletForm, isSecond: boolean) =>
    new Promise<boolean>((resolve) => setQuestion({ values, isSecond, resolve }))
  const confirm = async (values: AddToWalletForm) => {
    const amount = roundAmount(values.amount, settings?.decimal ?? 2)
    if (isDebit && balance !== undefined && amount > balance)
      throw domainError('withdraw_too_much', 'amount')
    if (!(await ask(values, false))) return false
    return values.amount <= LARGE_AMOUNT || (await ask(values, true))
  }
  // The dialog also closes after a confirmation. At that point the promise has resolved, and the
  // second question may already be open.
  const close = ({ resolve }: Question) => {
    resolve(false)
    setQuestion((now) => (now?.resolve === resolve ? null : now))
  }
  const dialog = question && (
    <QuestionDialog
      key={question.isSecond ? 'second' : 'first'}
      question={question}
      change={change}
      onClose={() => close(question)}
    />
  )
  return { confirm, dialog }
}

/** Asks for direction, person, amount and note. */
const WalletFields = ({
  change: { isDebit, user, balance },
  onDirection,
  onUser,
  field,
  form,
}: {
  change: Change
  onDirection: (direction: string | null) => void
  onUser: (user: DirectoryPerson | null) => void
  field: BindField<AddToWalletForm>
  form: UseFormReturn<AddToWalletForm>
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      <SegmentedControl
        legend={t('wallet_direction')}
        value={isDebit ? 'take' : 'add'}
        onChange={(value) => onDirection(value === 'take' ? value : null)}
        options={[
          { value: 'add', label: t('add_money') },
          { value: 'take', label: t('take_money') },
        ]}
      />
      <UserPicker
        label={t('user')}
        required
        usertypes={['rider', 'driver']}
        value={user}
        error={form.formState.errors.uid?.message && t(form.formState.errors.uid.message)}
        onChange={(chosenUser) => {
          onUser(chosenUser)
          form.setValue('uid', chosenUser?.id ?? '', { shouldDirty: true })
          form.clearErrors('uid')
        }}
      />
      <NumberField
        label={t('amount')}
        unit="money"
        hint={
          balance === undefined ? undefined : t('balance_now', { amount: format.money(balance) })
        }
        {...field('amount')}
      />
      <TextField
        label={t(isDebit ? 'reason' : 'wallet_note')}
        hint={t('wallet_note_hint', { most: NOTE_LENGTH })}
        {...field('note')}
      />
    </>
  )
}

/**
 * Credits or debits a user's wallet manually. Asks before money moves, and a second time for a
 * large amount.
 */
export const AddToWalletPage = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { notify } = useOfficeSession()
  const { getKey, reset } = useIdempotencyKey()
  const [generation, setGeneration] = useState(0)
  const [user, setUser] = useState<DirectoryPerson | null>(null)
  const [direction, setDirection] = useQueryParam('do')
  const isDebit = direction === 'take'
  const { users: owners } = useLive(liveUsers, { ids: user ? [user.id] : [] })
  const change = { isDebit, user, balance: owners[0]?.walletBalance }
  const { confirm, dialog } = useQuestions(change)
  const save = async ({ uid, amount, note }: AddToWalletForm) => {
    const id = await getKey({ isDebit, uid, amount, note })
    if (isDebit) await dispatch(takeFromWallet.quiet({ debit_id: id, uid, amount, note })).unwrap()
    else
      await dispatch(
        addToWallet.quiet({ credit_id: id, uid, amount, ...(note && { note }) }),
      ).unwrap()
    notify(isDebit ? 'wallet_debited' : 'wallet_credited', {
      amount: format.money(amount),
      name: user ? formatFullName(user) : '',
    })
    reset()
    setUser(null)
    setGeneration(generation + 1)
  }
  return (
    <>
      <EditPage<AddToWalletForm>
        key={generation}
        title={t('menu_add_to_wallet')}
        schema={isDebit ? takeFromWalletForm : addToWalletForm}
        initial={{ uid: '', note: '' }}
        saveLabel={t(isDebit ? 'take_money' : 'add_money')}
        confirm={confirm}
        onSave={save}
      >
        {(field, form) => (
          <WalletFields {...{ change, field, form }} onDirection={setDirection} onUser={setUser} />
        )}
      </EditPage>
      {dialog}
    </>
  )
}
