import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getMessagePreferences } from '~/domain/messages/messagePreferences'
import { useInboxTexts } from '~/src/features/inbox/inboxTexts'
import { getMessageKind } from '~/src/features/messages/messageKind'
import { choosePreference } from '~/src/features/messages/messages'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { useLoaded } from '~/src/store/useLoaded'
import { Checkbox } from '~/src/ui/controls'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { SkeletonLines } from '~/src/ui/feedback/states'
import css from './ProfilePage.module.css'
import type { UserType } from '~/domain/access/types'

const NO_CHANGE = {}

/** Lets people turn optional messages on and off; each change is saved at once. */
export const MessagePreferences = ({ usertype }: { usertype: UserType }) => {
  useInboxTexts()
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { value, setValue, failure, retry } = useLoaded(choosePreference, NO_CHANGE)
  const [pending, setPending] = useState<string | null>(null)
  if (failure) return <ErrorState onRetry={retry}>{translateError(failure, t)}</ErrorState>
  if (!value) return <SkeletonLines lines={4} />
  const choose = async (key: string, on: boolean) => {
    setPending(key)
    try {
      setValue(await dispatch(choosePreference({ key, on })).unwrap())
    } catch {
      // Said by the operation's own notice; the box keeps its state.
    }
    setPending(null)
  }
  return (
    <ul role="list" className={css.choices}>
      {getMessagePreferences(usertype).map(({ key, event, channel }) => (
        <li key={key}>
          <Checkbox
            label={`${t(getMessageKind(event))} · ${t(`channel_${channel}`)}`}
            checked={!value.off.includes(key)}
            disabled={pending !== null}
            onChange={({ target }) => void choose(key, target.checked)}
          />
        </li>
      ))}
    </ul>
  )
}
