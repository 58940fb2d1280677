import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserType } from '~/domain/entities'
import type { DomainError } from '~/domain/errors'
import { getMessagePreferences } from '~/domain/messages/messagePreferences'
import { useInboxTexts } from '~/src/features/inbox/inboxTexts'
import { getMessageKind } from '~/src/features/messages/messageKind'
import { choosePreference } from '~/src/features/messages/messages'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { Checkbox } from '~/src/ui/controls'
import { ErrorState, SkeletonLines } from '~/src/ui/states'
import css from './ProfilePage.module.css'

/** Lets people turn optional messages on and off; each change is saved at once. */
export const MessagePreferences = ({ usertype }: { usertype: UserType }) => {
  useInboxTexts()
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const [off, setOff] = useState<readonly string[] | null>(null)
  const [pending, setPending] = useState<string | null>(null)
  const [failure, setFailure] = useState<DomainError | null>(null)
  const load = useCallback(
    () =>
      dispatch(choosePreference.quiet({}))
        .unwrap()
        .then(
          (found) => {
            setFailure(null)
            setOff(found.off)
          },
          (error: unknown) => setFailure(error as DomainError),
        ),
    [dispatch],
  )
  useEffect(() => void load(), [load])
  if (failure)
    return <ErrorState onRetry={() => void load()}>{translateError(failure, t)}</ErrorState>
  if (off === null) return <SkeletonLines lines={4} />
  const choose = async (key: string, on: boolean) => {
    setPending(key)
    try {
      setOff((await dispatch(choosePreference({ key, on })).unwrap()).off)
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
            checked={!off.includes(key)}
            disabled={pending !== null}
            onChange={({ target }) => void choose(key, target.checked)}
          />
        </li>
      ))}
    </ul>
  )
}
