import {
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import css from './VirtualList.module.css'

/** Assumed height of the list, in rows, before the browser has measured it. */
const ROWS_BEFORE_LAYOUT = 12
/** Below this width, in rem, the rows are narrow; a phone at double text size has 11. */
const NARROW_REM = 15
/** Rows rendered beyond each edge, so that a short scroll uncovers no empty row. */
const MARGIN_ROWS = 3

const getRemPixels = () =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16

export interface VirtualListHandle {
  focus: () => void
}

interface ListSize {
  height: number
  isNarrow: boolean
  /** Pixels per rem, which change with the text size of the browser. */
  rem: number
}

/**
 * Renders a long list of options of the same height, of which only those in view exist. Arrow keys,
 * Home, End and Page keys choose an option; Enter and Escape are reported. A narrow list has higher
 * rows, whose texts wrap, and the attribute `data-narrow-rows`.
 */
export const VirtualList = <Item extends { id: string }>({
  label,
  items,
  rowHeightRem: wideRowRem,
  narrowRowHeightRem: narrowRowRem,
  selected,
  onSelect,
  onEnter,
  onEscape,
  renderItem,
  getItemProps,
  ref,
}: {
  label: string
  items: readonly Item[]
  rowHeightRem: number
  narrowRowHeightRem: number
  /** The id of the chosen option. */
  selected: string | null
  onSelect: (id: string) => void
  /** Called on Enter and on a double click. */
  onEnter: (id: string) => void
  onEscape?: () => void
  renderItem: (item: Item, index: number) => ReactNode
  /** Returns more attributes of an option, such as those for drag and drop. */
  getItemProps?: (item: Item) => HTMLAttributes<HTMLElement>
  ref?: Ref<VirtualListHandle>
}) => {
  const listId = useId()
  const box = useRef<HTMLDivElement>(null)
  const sized = useRef<HTMLDivElement>(null)
  const [{ height, isNarrow, rem }, setSize] = useState((): ListSize => ({
    height: 0,
    isNarrow: false,
    rem: getRemPixels(),
  }))
  const [top, setTop] = useState(0)
  useEffect(() => {
    const [element, content] = [box.current, sized.current]
    if (!element || !content || typeof ResizeObserver === 'undefined') return
    const measure = () => {
      const pixels = getRemPixels()
      const { clientHeight, clientWidth } = element
      setSize({ height: clientHeight, isNarrow: clientWidth < NARROW_REM * pixels, rem: pixels })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    // Its height is in rem, so it changes with the text size even when the list's height does not.
    observer.observe(content)
    return () => observer.disconnect()
  }, [])
  const rowHeightRem = isNarrow ? narrowRowRem : wideRowRem
  const rowHeight = rowHeightRem * rem
  useImperativeHandle(ref, () => ({ focus: () => box.current?.focus() }))

  const shownRows = height > 0 ? Math.ceil(height / rowHeight) : ROWS_BEFORE_LAYOUT
  const first = Math.max(0, Math.floor(top / rowHeight) - MARGIN_ROWS)
  const end = Math.min(items.length, first + shownRows + 2 * MARGIN_ROWS)
  const selectedIndex = items.findIndex(({ id }) => id === selected)
  const indexes = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at)
  // The list names its active option by id, so that option exists even when it is out of view.
  if (selectedIndex >= 0 && !indexes.includes(selectedIndex)) indexes.push(selectedIndex)

  const scrollTo = (index: number) => {
    const element = box.current
    if (!element) return
    const from = index * rowHeight
    const visible = shownRows * rowHeight
    const room = height > 0 ? height : visible
    const next = Math.min(from, Math.max(element.scrollTop, from + rowHeight - room))
    element.scrollTop = next
    setTop(next)
  }
  const choose = (index: number) => {
    const item = items[Math.min(Math.max(index, 0), items.length - 1)]
    if (!item) return
    onSelect(item.id)
    scrollTo(items.indexOf(item))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const targets: Record<string, number> = {
      ArrowDown: selectedIndex + 1,
      ArrowUp: selectedIndex < 0 ? items.length - 1 : selectedIndex - 1,
      Home: 0,
      End: items.length - 1,
      PageDown: selectedIndex + Math.max(1, shownRows - 1),
      PageUp: selectedIndex - Math.max(1, shownRows - 1),
    }
    const target = targets[event.key]
    if (target !== undefined) choose(target)
    else if (event.key === 'Enter' && selected !== null && selectedIndex >= 0) onEnter(selected)
    else if (event.key === 'Escape' && onEscape) onEscape()
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={box}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={
        selectedIndex >= 0 ? `${listId}-${items[selectedIndex]?.id}` : undefined
      }
      className={css.list}
      data-narrow-rows={isNarrow || undefined}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
    >
      <div ref={sized} role="presentation" style={{ height: `${items.length * rowHeightRem}rem` }}>
        {indexes.map((index) => {
          const item = items[index]
          if (!item) return null
          const isSelected = item.id === selected
          return (
            <div
              key={item.id}
              id={`${listId}-${item.id}`}
              role="option"
              aria-selected={isSelected}
              aria-posinset={index + 1}
              aria-setsize={items.length}
              className={css.row}
              style={{ top: `${index * rowHeightRem}rem`, height: `${rowHeightRem}rem` }}
              onClick={() => onSelect(item.id)}
              onDoubleClick={() => onEnter(item.id)}
              {...getItemProps?.(item)}
            >
              {renderItem(item, index)}
            </div>
          )
        })}
      </div>
    </div>
  )
}
