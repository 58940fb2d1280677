import { type ReactNode, useEffect, useRef } from 'react'
import css from './DataTable.module.css'
import { OfficeIcon, type OfficeIconName } from './OfficeIcon'

/** Renders a table's menu: a button and the content it opens, until Escape or a click elsewhere. */
export const ToolMenu = ({
  icon,
  label,
  children,
}: {
  icon: OfficeIconName
  label: string
  children: ReactNode
}) => {
  const ref = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const leave = (event: PointerEvent) => {
      const menu = ref.current
      if (menu?.open && event.target instanceof Node && !menu.contains(event.target))
        menu.open = false
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [])
  return (
    <details
      ref={ref}
      className={css.chooser}
      name="table-tools"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !ref.current?.open) return
        ref.current.open = false
        ref.current.querySelector('summary')?.focus()
      }}
    >
      <summary>
        <OfficeIcon name={icon} size={18} />
        {label}
      </summary>
      <div className={css.choices}>{children}</div>
    </details>
  )
}
