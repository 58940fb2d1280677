import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AddToWalletForm, addToWalletForm } from '~/domain/forms/people'
import { fullName } from '~/domain/people'
import { addToWallet, type Listed, users } from '~/src/features/users/users'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { useFormat } from '~/src/ui/format'
import { EditPage } from '~/src/ui/office/EditPage'
import { NumberField } from '~/src/ui/office/fields'
import { UserPicker } from '../people/UserPicker'
import { useDeedId } from '../useDeedId'
import { useOffice } from '../useOffice'

/** Puts money into somebody's wallet by hand. */
export const AddToWalletPage = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { say } = useOffice()
  const { idOf, done } = useDeedId()
  const [round, setRound] = useState(0)
  const [user, setUser] = useState<Listed | null>(null)
  const { users: found } = useLive(users, { ids: user ? [user.id] : [] })
  const balance = found[0]?.walletBalance
  const add = async ({ uid, amount }: AddToWalletForm) => {
    const credit_id = await idOf({ uid, amount })
    await dispatch(addToWallet({ credit_id, uid, amount, quiet: true })).unwrap()
    say('wallet_credited', {
      amount: format.money(amount),
      name: user ? fullName(user) : '',
    })
    done()
    setUser(null)
    setRound(round + 1)
  }
  return (
    <EditPage<AddToWalletForm>
      key={round}
      title={t('menu_add_to_wallet')}
      schema={addToWalletForm}
      initial={{ uid: '' }}
      saveLabel={t('add_money')}
      onSave={add}
    >
      {(field, form) => (
        <>
          <UserPicker
            label={t('user')}
            usertypes={['rider', 'driver']}
            value={user}
            error={form.formState.errors.uid?.message && t(form.formState.errors.uid.message)}
            onChange={(chosen) => {
              setUser(chosen)
              form.setValue('uid', chosen?.id ?? '', { shouldDirty: true })
              form.clearErrors('uid')
            }}
          />
          <NumberField
            label={t('amount')}
            hint={
              balance === undefined
                ? undefined
                : t('balance_now', { amount: format.money(balance) })
            }
            {...field('amount')}
          />
        </>
      )}
    </EditPage>
  )
}
