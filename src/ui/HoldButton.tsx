import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './controls'
import css from './HoldButton.module.css'

/** Returns for how long a pointer must hold an element, in ms; the style sheet fills it as long. */
const readHoldTime = (element: Element): number =>
  Number.parseFloat(getComputedStyle(element).getPropertyValue('--hold')) || 0

/**
 * Renders a large button that a pointer must hold, so that a stray touch does nothing. Keys and
 * screen readers press it as any other button.
 */
export const HoldButton = ({
  busy,
  children,
  onHold,
}: {
  busy: boolean
  children: ReactNode
  onHold: () => void
}) => {
  const { t } = useTranslation()
  const [isHeld, setHeld] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const release = () => {
    clearTimeout(timer.current)
    setHeld(false)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <div
      className={css.hold}
      data-held={isHeld || undefined}
      onPointerDown={({ button, currentTarget }) => {
        const ms = readHoldTime(currentTarget)
        if (button !== 0 || busy || ms === 0) return
        setHeld(true)
        timer.current = setTimeout(() => {
          release()
          navigator.vibrate?.(40)
          onHold()
        }, ms)
      }}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onContextMenu={(event) => event.preventDefault()}
    >
      <Button
        variant="primary"
        wide
        busy={busy}
        onClick={({ detail, currentTarget }) => {
          // A pointer counts its clicks; keys and screen readers do not.
          if (detail === 0 || readHoldTime(currentTarget) === 0) onHold()
        }}
      >
        <span className={css.label}>
          <span>{children}</span>
          <small aria-hidden="true">{t('hold_hint')}</small>
        </span>
      </Button>
    </div>
  )
}
