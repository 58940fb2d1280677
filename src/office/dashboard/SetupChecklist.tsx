import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { DomainError } from '~/domain/api/errors'
import type { MessageSettings } from '~/domain/messages/messageSettings'
import { CHECKLIST_STEPS, type ChecklistStep, getChecklist } from '~/domain/setup/checklist'
import { fetchMessageSettings } from '~/src/features/messages/messages'
import { loadPaymentMethods, selectPaymentMethods } from '~/src/features/payments/payments'
import { useDirectory } from '~/src/features/users/directory'
import { liveUsers } from '~/src/features/users/users'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { ENDED_BY_PAGE_CHANGE, noticeRaised } from '~/src/store/notices'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { useMapSetup } from '~/src/ui/map/mapSetup'
import { saveSettings } from '../settings/saveSettings'
import css from './SetupChecklist.module.css'
import type { Settings } from '~/domain/catalog/types'

/** The page on which each step is done. */
const PAGES: Record<ChecklistStep, string> = {
  prices: screenPaths.vehicleTypes,
  driver: screenPaths.drivers,
  company: screenPaths.appInfo,
  legal: screenPaths.appInfo,
  receipts: screenPaths.messages,
  alerts: screenPaths.messages,
  payments: screenPaths.payments,
  maps: screenPaths.settings,
}
/** Number of newest drivers among whom an approved one is looked for. */
const NEWEST_DRIVERS = 10

/** Returns true when one of the newest drivers is approved; undefined while they load. */
const useHasApprovedDriver = (): boolean | undefined => {
  const { entries, loading } = useDirectory({ usertype: 'driver', size: NEWEST_DRIVERS })
  const { users: drivers, loading: isReading } = useLive(liveUsers, {
    ids: entries.map(({ id }) => id),
  })
  if (drivers.some(({ usertype, approved }) => usertype === 'driver' && approved)) return true
  return loading || (entries.length > 0 && isReading) ? undefined : false
}

/** Returns true when a payment provider is connected; undefined while that loads. */
const useHasProvider = (): boolean | undefined => {
  const dispatch = useAppDispatch()
  const { providers, message, error } = useAppSelector(selectPaymentMethods)
  useEffect(() => void dispatch(loadPaymentMethods()), [dispatch])
  if (providers.length > 0) return true
  return message !== null || error.flag ? false : undefined
}

/** Returns the settings of messages; undefined until they have loaded. */
const useMessages = (): MessageSettings | undefined => {
  const dispatch = useAppDispatch()
  const [messages, setMessages] = useState<MessageSettings>()
  useEffect(
    () =>
      void dispatch(fetchMessageSettings.quiet())
        .unwrap()
        .then(
          ({ settings }) => setMessages(settings),
          // A step whose state is unknown is shown as neither open nor done.
          () => undefined,
        ),
    [dispatch],
  )
  return messages
}

const useSteps = (settings: Settings): Record<ChecklistStep, boolean | undefined> => {
  const { basemap } = useMapSetup()
  return getChecklist({
    settings,
    messages: useMessages(),
    hasProvider: useHasProvider(),
    hasApprovedDriver: useHasApprovedDriver(),
    hasOwnMaps: basemap.kind !== 'bundled' || basemap.baseUrl !== undefined,
  })
}

const Step = ({
  step,
  isDone,
  onPricesRight,
}: {
  step: ChecklistStep
  isDone: boolean | undefined
  onPricesRight: () => void
}) => {
  const { t } = useTranslation()
  const stateText = isDone === undefined ? 'loading' : isDone ? 'done' : 'step_open'
  return (
    <li className={css.step} data-done={isDone}>
      <span className={css.mark} role="img" aria-label={t(stateText)}>
        {isDone && <Icon name="check" size={18} />}
      </span>
      <div>
        <Link to={PAGES[step]}>{t(`step_${step}`)}</Link>
        {isDone === false && <p>{t(`step_hint_${step}`)}</p>}
      </div>
      {step === 'prices' && !isDone && (
        <Button size="small" onClick={onPricesRight}>
          {t('prices_right')}
        </Button>
      )}
    </li>
  )
}

/** Lists the next steps of a new company, each with the page for it, until an admin hides them. */
export const SetupChecklist = ({ settings }: { settings: Settings }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const steps = useSteps(settings)
  const doneCount = CHECKLIST_STEPS.filter((step) => steps[step]).length
  const save = (setupChecklist: 'priced' | null) =>
    void dispatch(saveSettings(settings, { setupChecklist })).catch((error: unknown) =>
      dispatch(
        noticeRaised({
          tone: 'problem',
          text: (error as DomainError).key,
          endedBy: ENDED_BY_PAGE_CHANGE,
        }),
      ),
    )
  return (
    <section className={css.checklist} aria-labelledby="checklist">
      <header>
        <h2 id="checklist">{t('checklist')}</h2>
        <p>{t('checklist_progress', { done: doneCount, all: CHECKLIST_STEPS.length })}</p>
        <Button size="small" variant="quiet" onClick={() => save(null)}>
          {t('checklist_hide')}
        </Button>
      </header>
      <ul role="list">
        {CHECKLIST_STEPS.map((step) => (
          <Step key={step} step={step} isDone={steps[step]} onPricesRight={() => save('priced')} />
        ))}
      </ul>
    </section>
  )
}
