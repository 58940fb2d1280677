import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from './Dialog'
import { beforeSteps, go } from './place'

type Then = () => void
/** Forms whose changes are not saved, the last one asked first. */
const guards: ((then: Then) => void)[] = []
/** The next step through the history has been agreed to. */
let agreed = false

/** The next step through the history is taken without a question: it was agreed to, or what was unsaved is saved. */
export const agreeToStep = () => {
  agreed = guards.length > 0
}

/** Does what takes a person away from here; asks before it when that would lose unsaved changes. */
export const leaving = (then: Then) => {
  const ask = guards.at(-1)
  if (ask) ask(then)
  else then()
}

/** Where a link on the page would lead in this tab, or null. */
const linkOf = (event: MouseEvent): string | null => {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return null
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target || link.origin !== location.origin)
    return null
  return link.pathname === location.pathname ? null : link.pathname + link.search
}

/** The router numbers the entries it makes; one of before it is taken for the step before. */
const placeInHistory = (): number | undefined => {
  const state: unknown = window.history.state
  const found =
    typeof state === 'object' && state !== null && 'idx' in state ? state.idx : undefined
  return typeof found === 'number' ? found : undefined
}

/**
 * Asks before unsaved changes are left: by a link, by the browser's Back, by closing the page, by `leaving`.
 * Answers the question to draw.
 */
export const useUnsaved = (dirty: boolean): ReactNode => {
  const { t } = useTranslation()
  const [wanted, setWanted] = useState<Then | null>(null)
  useEffect(() => {
    if (!dirty) return
    const ask = (then: Then) => setWanted(() => then)
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const onClick = (event: MouseEvent) => {
      const to = linkOf(event)
      if (to === null) return
      // Before the router hears of it.
      event.preventDefault()
      event.stopPropagation()
      ask(() => go(to))
    }
    const here = placeInHistory() ?? 0
    let returning = false
    const onPop = (event: PopStateEvent) => {
      if (agreed && !returning) {
        agreed = false
        return
      }
      // The router must not follow a step that is about to be taken back, nor the step that takes it back.
      event.stopImmediatePropagation()
      if (returning) {
        returning = false
        return
      }
      const step = (placeInHistory() ?? here - 1) - here
      if (step === 0) return
      returning = true
      window.history.go(-step)
      ask(() => {
        agreed = true
        window.history.go(step)
      })
    }
    agreed = false
    guards.push(ask)
    window.addEventListener('beforeunload', onUnload)
    document.addEventListener('click', onClick, true)
    const hearNoMore = beforeSteps(onPop)
    return () => {
      guards.splice(guards.indexOf(ask), 1)
      window.removeEventListener('beforeunload', onUnload)
      document.removeEventListener('click', onClick, true)
      hearNoMore()
    }
  }, [dirty])
  if (!wanted) return null
  return (
    <ConfirmDialog
      danger
      title={t('unsaved_changes')}
      confirm={t('leave')}
      onConfirm={async () => wanted()}
      onClose={() => setWanted(null)}
    />
  )
}
