import {
  Fragment,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useRef,
  useState,
} from 'react'
import { Tabs } from '~/src/ui/navigation/Tabs'
import { readPreference, savePreference } from '~/src/ui/preferences'
import css from './SplitPanes.module.css'

export interface Pane {
  id: string
  /** The translated name, also of its tab on a narrow screen. */
  label: string
  content: ReactNode
}

/** The smallest width of a pane: its rows of text need 15rem, and the width of a scroll bar. */
const MIN_WIDTH = 'min(16rem, 33%)'
/** Share of the width in percent: the smallest of a pane, the step of a key. */
const MIN_SHARE = 15
const STEP = 2

const isShares = (value: unknown, count: number): value is number[] =>
  Array.isArray(value) &&
  value.length === count &&
  value.every((share) => typeof share === 'number' && share >= MIN_SHARE) &&
  Math.round((value as number[]).reduce((sum, share) => sum + share, 0)) === 100

const loadShares = (storageKey: string, initial: readonly number[]): readonly number[] => {
  try {
    const storedShares: unknown = JSON.parse(readPreference(storageKey) ?? 'null')
    return isShares(storedShares, initial.length) ? storedShares : initial
  } catch {
    return initial
  }
}

/** Moves the border after a pane to `share` percent of both of its panes; the others stay. */
const moveBorder = (shares: readonly number[], index: number, share: number): number[] => {
  const both = (shares[index] ?? 0) + (shares[index + 1] ?? 0)
  const first = Math.min(Math.max(share, MIN_SHARE), both - MIN_SHARE)
  return shares.map((one, at) => (at === index ? first : at === index + 1 ? both - first : one))
}

/** Holds the shares of the panes, which pointer and arrow keys change. */
const useShares = (storageKey: string, initialShares: readonly number[]) => {
  const [shares, setShares] = useState(() => loadShares(storageKey, initialShares))
  const box = useRef<HTMLDivElement>(null)
  const isRtl = () => box.current !== null && getComputedStyle(box.current).direction === 'rtl'
  const change = (index: number, share: number) => {
    const next = moveBorder(shares, index, share)
    setShares(next)
    savePreference(storageKey, JSON.stringify(next))
  }
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const share = shares[index] ?? 0
    const forward = isRtl() ? 'ArrowLeft' : 'ArrowRight'
    const backward = isRtl() ? 'ArrowRight' : 'ArrowLeft'
    const steps: Record<string, number> = {
      [forward]: share + STEP,
      [backward]: share - STEP,
      Home: 0,
      End: 100,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    change(index, next)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>, index: number) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !box.current) return
    const { left, right, width } = box.current.getBoundingClientRect()
    const at = ((isRtl() ? right - event.clientX : event.clientX - left) / width) * 100
    change(index, at - shares.slice(0, index).reduce((sum, share) => sum + share, 0))
  }
  return { box, shares, onKeyDown, onPointerMove }
}

/** Renders the border after a pane. */
const Separator = ({
  before: { id },
  label,
  share,
  both,
  onKeyDown,
  onPointerMove,
}: {
  before: Pane
  label: string
  /** Percent of the width: of the pane before, and of both panes. */
  share: number
  both: number
  onKeyDown: (event: KeyboardEvent) => void
  onPointerMove: (event: PointerEvent<HTMLElement>) => void
}) => (
  <div
    role="separator"
    tabIndex={0}
    aria-orientation="vertical"
    aria-label={label}
    aria-controls={`pane-${id}`}
    aria-valuemin={MIN_SHARE}
    aria-valuemax={Math.round(both - MIN_SHARE)}
    aria-valuenow={Math.round(share)}
    className={css.separator}
    onKeyDown={onKeyDown}
    onPointerDown={(event) => {
      event.preventDefault()
      event.currentTarget.focus()
      event.currentTarget.setPointerCapture(event.pointerId)
    }}
    onPointerMove={onPointerMove}
  />
)

interface Props {
  /** Names the tabs. */
  label: string
  panes: readonly Pane[]
  /** Percent of the width, one per pane. */
  initialShares: readonly number[]
  storageKey: string
  /** Returns the name of the border after a pane. */
  separatorLabel: (pane: Pane) => string
  /** The id of the pane that a narrow screen shows. */
  shownPaneId: string
  onShow: (id: string) => void
}

/**
 * Shows panes side by side, whose borders move by pointer and by arrow keys. On a narrow screen it
 * shows one pane at a time, with tabs. The browser remembers the sizes under `storageKey`.
 */
export const SplitPanes = ({
  label,
  panes,
  shownPaneId,
  onShow,
  separatorLabel,
  ...stored
}: Props) => {
  const { box, shares, onKeyDown, onPointerMove } = useShares(
    stored.storageKey,
    stored.initialShares,
  )
  const renderBorder = (before: Pane, index: number) => {
    const share = shares[index] ?? 0
    return (
      <Separator
        before={before}
        label={separatorLabel(before)}
        share={share}
        both={share + (shares[index + 1] ?? 0)}
        onKeyDown={(event) => onKeyDown(event, index)}
        onPointerMove={(event) => onPointerMove(event, index)}
      />
    )
  }
  return (
    <div className={css.split}>
      <div className={css.tabs}>
        <Tabs
          label={label}
          value={shownPaneId}
          onChange={onShow}
          tabs={panes.map((pane) => ({ value: pane.id, label: pane.label }))}
        />
      </div>
      <div
        ref={box}
        className={css.panes}
        style={{
          gridTemplateColumns: shares
            .map((share) => `minmax(${MIN_WIDTH}, ${share}fr)`)
            .join(' auto '),
        }}
      >
        {panes.map((pane, index) => (
          <Fragment key={pane.id}>
            {index > 0 && renderBorder(panes[index - 1] ?? pane, index - 1)}
            <section
              id={`pane-${pane.id}`}
              aria-label={pane.label}
              className={css.pane}
              data-shown={pane.id === shownPaneId || undefined}
            >
              {pane.content}
            </section>
          </Fragment>
        ))}
      </div>
    </div>
  )
}
