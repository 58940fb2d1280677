import { useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { liveBookings } from '~/src/features/bookings/bookings'
import tourTexts from '~/src/i18n/locales/en/tour.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'
import { loadConfig } from '~/src/services/config'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, Checkbox, IconButton } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { usePath } from '~/src/ui/navigation/router'
import { PHONE_QUERY } from '~/src/ui/screenWidths'
import { useMediaQuery } from '~/src/ui/useMediaQuery'
import css from './DemoTour.module.css'
import { getReachedSteps } from './reachedSteps'
import {
  closeTour,
  markSteps,
  startTour,
  TOUR_STEPS,
  type TourStep,
  useTourProgress,
} from './tourProgress'
import {
  getTourAddress,
  readTourRole,
  TOUR_DRIVER_NAME,
  TOUR_ROLES,
  type TourRole,
} from './tourRole'

/** Number of newest bookings in which the tour looks for its own. */
const WATCHED = { size: 10 }
/** The pages on which a window without a role offers the tour. */
const OFFERED_ON: readonly string[] = [screenPaths.home, screenPaths.about, screenPaths.privacy]

/** Marks the steps that happen in this window. */
const StepWatcher = ({
  id,
  role,
  startedAt,
}: {
  id: string
  role: TourRole
  startedAt: number
}) => {
  const path = usePath()
  const profile = useAppSelector(selectProfile)
  const { bookings } = useLive(liveBookings, WATCHED)
  const reached = getReachedSteps(
    role,
    bookings.filter(({ bookingDate }) => bookingDate >= startedAt),
    {
      isOnDuty: profile?.driverActiveStatus === true,
      isOnBoard: path === screenPaths.board,
      isOnBookings: path.startsWith(screenPaths.bookings),
    },
  ).join(' ')
  // Each step is marked once, so that it stays open after the person unticks it.
  const marked = useRef(new Set<string>())
  useEffect(() => {
    const steps = TOUR_STEPS[role].filter(
      (step) => reached.split(' ').includes(step) && !marked.current.has(step),
    )
    for (const step of steps) marked.current.add(step)
    if (steps.length > 0) markSteps(id, steps, true)
  }, [id, role, reached])
  return null
}

const RoleSteps = ({
  id,
  role,
  ownRole,
  doneSteps,
  isOpen,
}: {
  id: string
  role: TourRole
  /** The role of this window. */
  ownRole: TourRole | null
  doneSteps: readonly TourStep[]
  isOpen: boolean
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const steps: readonly TourStep[] = TOUR_STEPS[role]
  const count = steps.filter((step) => doneSteps.includes(step)).length
  return (
    <details className={css.role} open={isOpen}>
      <summary>
        <strong>{t(`tour_role_${role}`)}</strong>
        <span className={css.count}>
          {t('tour_progress', {
            done: format.number(count),
            all: format.number(steps.length),
          })}
        </span>
      </summary>
      {role === ownRole ? (
        <p className={css.here}>{t('tour_this_window')}</p>
      ) : (
        <a className={css.open} href={getTourAddress(role)} target="_blank" rel="noopener">
          {t(`tour_open_${role}`)}
        </a>
      )}
      <ol className={css.steps}>
        {steps.map((step) => (
          <li key={step}>
            <Checkbox
              label={t(`tour_step_${step}`, { driver: TOUR_DRIVER_NAME })}
              checked={doneSteps.includes(step)}
              onChange={({ target }) => markSteps(id, [step], target.checked)}
            />
          </li>
        ))}
      </ol>
    </details>
  )
}

/**
 * Returns an element above the page of a phone, where a panel at the lower edge would cover the
 * form; null on a wider screen.
 */
const useStripAbovePage = () => {
  const isPhone = useMediaQuery(PHONE_QUERY)
  const [strip] = useState(() => document.createElement('div'))
  useEffect(() => {
    if (isPhone) document.body.prepend(strip)
    return () => strip.remove()
  }, [isPhone, strip])
  return isPhone ? strip : null
}

/** Leads through the roles of one tour, and shows how far each of its windows has come. */
const TourPanel = ({ id }: { id: string }) => {
  const { t } = useTranslation()
  useAddedTexts(tourTexts)
  const path = usePath()
  const panelId = useId()
  const [role] = useState(readTourRole)
  const isSignedIn = useAppSelector((state) => selectProfile(state) !== null)
  const progress = useTourProgress(id)
  useEffect(() => startTour(id, Date.now()), [id])
  // The panel begins folded, because open it covers a part of the page.
  const [isOpen, setOpen] = useState(false)
  const strip = useStripAbovePage()
  if (!progress || progress.isClosed || (!role && !OFFERED_ON.includes(path))) return null
  const { doneSteps, startedAt } = progress
  const isUndone = (step: TourStep) => !doneSteps.includes(step)
  const next = (role ? TOUR_STEPS[role] : []).find(isUndone)
  const current = role ?? TOUR_ROLES.find((one) => TOUR_STEPS[one].some(isUndone)) ?? null
  const isFinished = TOUR_ROLES.every((one) => !TOUR_STEPS[one].some(isUndone))
  const panel = (
    <aside className={css.panel} aria-label={t('tour_title')}>
      {role && isSignedIn && <StepWatcher id={id} role={role} startedAt={startedAt} />}
      <div className={css.head}>
        <Button
          variant="quiet"
          size="small"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setOpen(!isOpen)}
        >
          {t('tour_title')}
        </Button>
        <IconButton label={t('tour_close')} onClick={() => closeTour(id)}>
          <Icon name="close" size={18} />
        </IconButton>
      </div>
      {!isOpen && next && (
        <p className={css.next}>
          {t('tour_next', { step: t(`tour_step_${next}`, { driver: TOUR_DRIVER_NAME }) })}
        </p>
      )}
      <div id={panelId} className={css.body} hidden={!isOpen}>
        <p role="status">{t(isFinished ? 'tour_finished' : 'tour_lead')}</p>
        {TOUR_ROLES.map((one) => (
          <RoleSteps
            key={one}
            id={id}
            role={one}
            ownRole={role}
            doneSteps={doneSteps}
            isOpen={one === current}
          />
        ))}
      </div>
    </aside>
  )
  return strip ? createPortal(panel, strip) : panel
}

/** Shows the demo tour where the site of this machine offers it. */
export const DemoTour = () => {
  const { i18n } = useTranslation()
  const [id, setId] = useState<string | null>(null)
  useEffect(() => {
    loadConfig().then(
      ({ local, tour }) => setId(local && tour ? tour : null),
      () => undefined,
    )
  }, [])
  // The minimal translator of a prerendered page has no texts of the tour.
  return id && 'services' in i18n ? <TourPanel id={id} /> : null
}
