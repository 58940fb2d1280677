import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { OfficeIcon } from './OfficeIcon'
import css from './RowMenu.module.css'
import type { RowAction } from './tableProps'

/** The distance of the menu from its button, px. */
const GAP = 4

/** Places the menu below its button, or above it where the screen ends. */
const placeMenu = (menu: HTMLElement, button: HTMLElement) => {
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const isBelow = bottom + GAP + menu.offsetHeight <= clientHeight
  menu.style.top = `${isBelow ? bottom + GAP : Math.max(0, top - GAP - menu.offsetHeight)}px`
  if (getComputedStyle(button).direction === 'rtl') menu.style.left = `${left}px`
  else menu.style.right = `${clientWidth - right}px`
}

const getNextIndex = (key: string, index: number, count: number): number | null => {
  if (key === 'ArrowDown') return (index + 1) % count
  if (key === 'ArrowUp') return (index - 1 + count) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

type ButtonRef = RefObject<HTMLButtonElement | null>

/** Opens the menu beside its button, and closes it when the user goes elsewhere. */
const useOpenMenu = (button: ButtonRef, onClose: () => void) => {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const menu = ref.current
    if (!menu || !button.current) return
    // The top layer, because the cells of the rows below would cover the menu. Old browsers show it
    // in its row.
    if ('showPopover' in menu) {
      menu.popover = 'manual'
      menu.showPopover()
    }
    placeMenu(menu, button.current)
    menu.querySelector('button')?.focus()
  }, [button])
  useEffect(() => {
    const leave = ({ target }: Event) => {
      const isInside =
        target instanceof Node &&
        [ref.current, button.current].some((element) => element?.contains(target))
      if (!isInside) onClose()
    }
    // The table scrolls away under a menu that stays.
    const events = ['pointerdown', 'scroll', 'focusin'] as const
    for (const event of events) document.addEventListener(event, leave, true)
    return () => {
      for (const event of events) document.removeEventListener(event, leave, true)
    }
  }, [button, onClose])
  return ref
}

/** Moves the focus by the arrow keys; Escape returns it to the button. */
const onMenuKey = (
  event: KeyboardEvent<HTMLDivElement>,
  button: ButtonRef,
  onClose: () => void,
) => {
  const items = [...event.currentTarget.querySelectorAll('button')]
  const index = items.findIndex((item) => item === document.activeElement)
  const next = getNextIndex(event.key, index, items.length)
  if (event.key === 'Escape') {
    onClose()
    button.current?.focus()
  } else if (next === null) return
  else items[next]?.focus()
  event.preventDefault()
  // Escape would also close a drawer, and the arrows would move through the rows.
  event.stopPropagation()
}

/** Renders the open menu above all rows, with the focus on its first action. */
const OpenMenu = ({
  label,
  actions,
  button,
  onClose,
}: {
  label: string
  actions: readonly RowAction[]
  button: ButtonRef
  onClose: () => void
}) => (
  <div
    ref={useOpenMenu(button, onClose)}
    role="group"
    aria-label={label}
    className={css.menu}
    onKeyDown={(event) => onMenuKey(event, button, onClose)}
  >
    {actions.map(({ label: text, isDangerous, onAct }) => (
      <button
        key={text}
        type="button"
        data-danger={isDangerous || undefined}
        onClick={() => {
          onClose()
          // A dialog gives the focus back to the button, which stays.
          button.current?.focus()
          onAct()
        }}
      >
        {text}
      </button>
    ))}
  </div>
)

/** Renders the menu of a row: a button with three dots and the actions that it opens. */
export const RowMenu = ({ name, actions }: { name: string; actions: readonly RowAction[] }) => {
  const { t } = useTranslation()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  if (actions.length === 0) return null
  const label = t('actions_of', { name })
  return (
    <>
      <button
        ref={button}
        type="button"
        className={css.button}
        aria-label={label}
        title={t('actions')}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <OfficeIcon name="more" />
      </button>
      {isOpen && (
        <OpenMenu label={label} actions={actions} button={button} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
