import { type RefObject, type SyntheticEvent, useEffect, useRef } from 'react'

/**
 * Makes a modal of the <dialog> that is given what this answers, for as long as it is mounted. The focus begins at the
 * first element of the selector `first`; the browser would begin at the way out.
 */
export const useModal = (
  onClose: (() => void) | undefined,
  first: string,
): { ref: RefObject<HTMLDialogElement | null>; onCancel: (event: SyntheticEvent) => void } => {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    // jsdom has no showModal; there the dialog is simply open.
    if (dialog?.showModal) dialog.showModal()
    else dialog?.setAttribute('open', '')
    dialog?.querySelector<HTMLElement>(first)?.focus()
    return () => dialog?.close?.()
  }, [first])
  return {
    ref,
    onCancel: (event) => {
      // A file field inside says the same when no file was picked after all.
      if (event.target !== event.currentTarget) return
      event.preventDefault()
      onClose?.()
    },
  }
}
