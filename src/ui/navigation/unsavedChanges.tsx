import { type ReactNode, useEffectEvent, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../dialogs/Dialog'
import { onBeforePopState, navigate } from './router'

type LeaveAction = () => void
/** Prompts of forms with unsaved changes; the last one asks first. */
const guards: ((then: LeaveAction) => void)[] = []
/** True when the user has agreed to the next history step. */
let isNavigationAllowed = false

/**
 * Allows the next history step without a prompt, because the user agreed or the changes are saved.
 * The step, or a form that changes before it, ends the permission.
 */
export const allowNavigation = () => {
  isNavigationAllowed = guards.length > 0
}

/** Runs an action that leaves the page; first asks when it would lose unsaved changes. */
export const confirmLeave = (then: LeaveAction) => {
  const ask = guards.at(-1)
  if (ask) ask(then)
  else then()
}

/** Returns the path that a clicked link opens in this tab, or null. */
const getLinkTarget = (event: MouseEvent): string | null => {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return null
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target || link.origin !== location.origin)
    return null
  return link.pathname === location.pathname ? null : link.pathname + link.search
}

/**
 * Returns the index that the router gave the history entry; undefined for an entry from before the
 * router, which counts as the previous step.
 */
const getHistoryIndex = (): number | undefined => {
  const state: unknown = window.history.state
  const index =
    typeof state === 'object' && state !== null && 'idx' in state ? state.idx : undefined
  return typeof index === 'number' ? index : undefined
}

/**
 * Reverts a history step without the router. Resolves after the step back: browsers drop one of two
 * steps that are requested at once.
 */
const revertStep = (step: number): Promise<void> =>
  new Promise((resolve) => {
    const stopListening = onBeforePopState((event) => {
      event.stopImmediatePropagation()
      stopListening()
      resolve()
    })
    window.history.go(-step)
  })

/**
 * Asks before the user leaves unsaved changes by a link, the browser's Back, closing the page, or
 * `confirmLeave`. Once the changes are saved, the user leaves without an answer. Returns the prompt
 * to render.
 */
export const useUnsavedChangesPrompt = (dirty: boolean): ReactNode => {
  const { t } = useTranslation()
  const [leaveAction, setLeaveAction] = useState<LeaveAction | null>(null)
  // Layout effects run before the next event, so that none meets a guard of the previous render.
  useLayoutEffect(() => {
    if (!dirty) return
    const ask = (then: LeaveAction) => setLeaveAction(() => then)
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const onClick = (event: MouseEvent) => {
      const to = getLinkTarget(event)
      if (to === null) return
      // Must run before the router handles the click.
      event.preventDefault()
      event.stopPropagation()
      ask(() => navigate(to))
    }
    const here = getHistoryIndex() ?? 0
    const onPop = (event: PopStateEvent) => {
      if (isNavigationAllowed) {
        isNavigationAllowed = false
        return
      }
      event.stopImmediatePropagation()
      const step = (getHistoryIndex() ?? here - 1) - here
      if (step === 0) return
      const reverted = revertStep(step)
      const repeatStep = () => {
        allowNavigation()
        window.history.go(step)
      }
      ask(() => void reverted.then(repeatStep))
    }
    isNavigationAllowed = false
    guards.push(ask)
    window.addEventListener('beforeunload', onUnload)
    document.addEventListener('click', onClick, true)
    const stopListening = onBeforePopState(onPop)
    return () => {
      guards.splice(guards.indexOf(ask), 1)
      window.removeEventListener('beforeunload', onUnload)
      document.removeEventListener('click', onClick, true)
      stopListening()
      setLeaveAction(null)
    }
  }, [dirty])
  const leaveIfAsked = useEffectEvent(() => {
    // A panel that closes after saving already takes its own step back.
    if (!isNavigationAllowed) leaveAction?.()
  })
  useLayoutEffect(() => {
    if (!dirty) leaveIfAsked()
  }, [dirty])
  if (!leaveAction) return null
  return (
    <ConfirmDialog
      danger
      title={t('unsaved_changes')}
      confirm={t('leave')}
      onConfirm={async () => leaveAction()}
      onClose={() => setLeaveAction(null)}
    />
  )
}
