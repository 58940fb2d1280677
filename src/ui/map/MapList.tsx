import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import type { LatLng } from '~/domain/entities'
import css from './MapView.module.css'

/** One line of the list that says what the map shows. */
export interface MapListItem {
  id: string
  text: ReactNode
  detail?: ReactNode
  /** Where the map goes when it is chosen. */
  at?: LatLng
}

/** A house or two on the ground, and far enough to see. */
const STEP_M = 50
const METRES_PER_DEGREE = 111_195
const STEPS = [
  { id: 'map_pin_north', north: STEP_M, east: 0 },
  { id: 'map_pin_south', north: -STEP_M, east: 0 },
  { id: 'map_pin_east', north: 0, east: STEP_M },
  { id: 'map_pin_west', north: 0, east: -STEP_M },
] as const

/** A point so many metres further on. */
const moved = ({ lat, lng }: LatLng, north: number, east: number): LatLng => ({
  lat: lat + north / METRES_PER_DEGREE,
  lng: lng + east / (METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180)),
})

/** What a map shows in words: out of sight until wanted, yet always there for who cannot see the map. */
export const MapList = ({
  label,
  items,
  onChoose,
  onStep,
}: {
  label: string
  items: readonly MapListItem[]
  onChoose: (id: string, at: LatLng) => void
  /** Of a pin: told where to from where it is. */
  onStep?: (step: (from: LatLng) => LatLng) => void
}) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const listId = useId()
  const lines = [
    ...items.map(({ at, ...item }) => ({ ...item, choose: at && (() => onChoose(item.id, at)) })),
    ...(onStep
      ? STEPS.map(({ id, north, east }) => ({
          id,
          text: t(id),
          detail: undefined,
          choose: () => onStep((from) => moved(from, north, east)),
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
        onClick={() => setOpen(!isOpen)}
      >
        {t(isOpen ? 'map_hide_list' : 'map_show_list')}
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
