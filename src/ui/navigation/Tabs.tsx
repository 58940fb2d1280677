import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import css from './Tabs.module.css'

/** Renders a row of tabs with arrow-key navigation. */
export const Tabs = <Value extends string>({
  label,
  value,
  onChange,
  tabs,
}: {
  label: string
  value: Value
  onChange: (value: Value) => void
  tabs: { value: Value; label: ReactNode }[]
}) => {
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const forward =
      getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const backward = forward === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft'
    if (event.key !== forward && event.key !== backward) return
    const at = tabs.findIndex((tab) => tab.value === value)
    const next = tabs[(at + (event.key === forward ? 1 : tabs.length - 1)) % tabs.length]
    if (!next) return
    onChange(next.value)
    event.currentTarget.querySelectorAll('button')[tabs.indexOf(next)]?.focus()
  }
  const list = useRef<HTMLDivElement>(null)
  // Scrolls the selected tab into view when not all of them fit, without scrolling the page.
  useEffect(() => {
    const tab = list.current?.querySelector('[aria-selected="true"]')
    if (!list.current || !tab) return
    const [inner, outer] = [tab.getBoundingClientRect(), list.current.getBoundingClientRect()]
    list.current.scrollLeft +=
      Math.max(0, inner.right - outer.right) - Math.max(0, outer.left - inner.left)
  }, [value])
  return (
    <div ref={list} role="tablist" aria-label={label} className={css.tabs} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          aria-selected={tab.value === value}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onChange(tab.value)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  )
}
