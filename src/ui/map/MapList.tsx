import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import css from './MapView.module.css'
import type { LatLng } from '~/domain/geo/types'

/** One row of the list that describes the map in words. */
export interface MapListItem {
  id: string
  text: ReactNode
  detail?: ReactNode
  /** Where the map moves when the user chooses the item. */
  position?: LatLng
}

/** Meters per step: one or two houses on the ground, and enough to see on the map. */
const STEP_METERS = 50
const METERS_PER_DEGREE = 111_195
const STEPS = [
  { id: 'map_pin_north', north: STEP_METERS, east: 0 },
  { id: 'map_pin_south', north: -STEP_METERS, east: 0 },
  { id: 'map_pin_east', north: 0, east: STEP_METERS },
  { id: 'map_pin_west', north: 0, east: -STEP_METERS },
] as const

/** Returns the position moved by this number of meters to the north and east. */
const movePosition = ({ lat, lng }: LatLng, north: number, east: number): LatLng => ({
  lat: lat + north / METERS_PER_DEGREE,
  lng: lng + east / (METERS_PER_DEGREE * Math.cos((lat * Math.PI) / 180)),
})

/**
 * Lists the content of a map in words: visually hidden until opened, but always available to screen
 * readers.
 */
export const MapList = ({
  label,
  items,
  onChoose,
  onStep,
}: {
  label: string
  items: readonly MapListItem[]
  onChoose: (id: string, at: LatLng) => void
  /** Moves the pin: receives a function that returns the new position for the current one. */
  onStep?: (move: (from: LatLng) => LatLng) => void
}) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const listId = useId()
  const lines = [
    ...items.map(({ position, ...item }) => ({
      ...item,
      choose: position && (() => onChoose(item.id, position)),
    })),
    ...(onStep
      ? STEPS.map(({ id, north, east }) => ({
          id,
          text: t(id),
          detail: undefined,
          choose: () => onStep((from) => movePosition(from, north, east)),
        }))
      : []),
  ]
  if (lines.length === 0) return null
  return (
    <>
      <button
        type="button"
        className={css.listSwitch}
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-label={t(isOpen ? 'map_hide_list' : 'map_show_list')}
        title={t(isOpen ? 'map_hide_list' : 'map_show_list')}
        onClick={() => setOpen(!isOpen)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d={isOpen ? 'M6 6l12 12M18 6L6 18' : 'M5 7h1m3 0h10M5 12h1m3 0h10M5 17h1m3 0h10'} />
        </svg>
      </button>
      <ul
        id={listId}
        role="list"
        aria-label={label}
        className={isOpen ? css.list : 'visually-hidden'}
      >
        {lines.map(({ id, text, detail, choose }) => {
          const line = (
            <>
              <span>{text}</span>
              {detail && <small>{detail}</small>}
            </>
          )
          return (
            <li key={id}>
              {choose && isOpen ? (
                <button type="button" onClick={choose}>
                  {line}
                </button>
              ) : (
                <div>{line}</div>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}
