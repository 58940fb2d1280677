import { type RefObject, type SyntheticEvent, useLayoutEffect, useRef } from 'react'

/**
 * Makes a modal of the <dialog> that receives the returned props, while it is mounted. Focus starts
 * at the first element that matches `first`; the browser would start at the close button.
 */
export const useModal = (
  onClose: (() => void) | undefined,
  first: string,
): { ref: RefObject<HTMLDialogElement | null>; onCancel: (event: SyntheticEvent) => void } => {
  const ref = useRef<HTMLDialogElement>(null)
  // A layout effect, because its cleanup runs while the dialog is still in the page: one that is
  // closed later no longer returns the focus to the button that opened it.
  useLayoutEffect(() => {
    const dialog = ref.current
    // jsdom has no showModal, so tests only open the dialog.
    if (dialog?.showModal) dialog.showModal()
    else dialog?.setAttribute('open', '')
    dialog?.querySelector<HTMLElement>(first)?.focus()
    return () => dialog?.close?.()
  }, [first])
  return {
    ref,
    onCancel: (event) => {
      // A file field inside the dialog sends the same event when the user picks no file.
      if (event.target !== event.currentTarget) return
      event.preventDefault()
      onClose?.()
    },
  }
}
