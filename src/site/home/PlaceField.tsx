import { type KeyboardEvent, lazy, type ReactNode, Suspense, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng, Place } from '~/domain/entities'
import { fetchAddressfromCoords } from '~/src/features/places/places'
import { usePlaceSearch } from '~/src/features/places/usePlaceSearch'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { Icon, type IconName } from '~/src/ui/Icon'
import css from './PlaceField.module.css'
import { rememberPlace, recentPlaces } from './recentPlaces'

const fetchDialog = () => import('./PlaceDialog')
const PlaceDialog = lazy(async () => ({ default: (await fetchDialog()).PlaceDialog }))

const LAST = Number.MAX_SAFE_INTEGER

interface Option {
  key: string
  text: string
  icon: IconName
  choose: () => Promise<Place | null>
}

const RIGHT_TO_LEFT = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}]/u
/** A browser does not look again which way a text runs that it was not typed. */
const written = (text: string) => (text ? (RIGHT_TO_LEFT.test(text) ? 'rtl' : 'ltr') : undefined)

/** A place by typing: suggestions below, chosen by mouse or arrow keys. `value` is null until one is chosen. */
export const PlaceField = ({
  label,
  placeholder,
  value,
  onChange,
  error,
  near,
  offersPosition,
  lead,
  trail,
  onLookup,
}: {
  label: string
  placeholder: string
  value: Place | null
  onChange: (place: Place | null) => void
  /** Already translated. */
  error?: string | undefined
  /** Nearer places come first. */
  near?: LatLng | undefined
  offersPosition?: boolean
  lead: ReactNode
  trail?: ReactNode
  /** Hears of a chosen place that is still being looked up; it settles once `onChange` was called. */
  onLookup?: (work: Promise<unknown>) => void
}) => {
  const { t, i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const profile = useAppSelector(selectProfile)
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  /** The option the keys are at: none, its number, or the last of however many the list opens with. */
  const [keysAt, setAt] = useState(-1)
  const {
    found,
    busy: searching,
    problem,
    setProblem,
    look,
    forget,
    placeOf,
  } = usePlaceSearch(near)
  const [bringing, setBringing] = useState(false)
  const busy = searching || bringing
  /** Answers the place chosen on the map, while that is open. */
  const [pick, setPick] = useState<{ answer: (place: Place | null) => void } | null>(null)

  const text = typed ?? value?.add ?? ''

  const myPosition = async (): Promise<Place | null> => {
    const { findPosition } = await import('~/src/features/gps/gps')
    const position = await dispatch(findPosition())
    if (!position) {
      setProblem('allow_location')
      return null
    }
    const add = await dispatch(
      fetchAddressfromCoords({ ...position, language: i18n.language, quiet: true }),
    )
      .unwrap()
      .catch(() => t('my_location'))
    return { ...position, add }
  }
  const onMap = async () => {
    // Before it is drawn: what cannot be fetched then would take the whole page with it.
    await fetchDialog()
    return new Promise<Place | null>((resolve) => {
      setPick({
        answer: (place) => {
          setPick(null)
          resolve(place)
        },
      })
    })
  }

  // While a search is on its way, what is known here already may be what is typed.
  const words = typed?.trim().toLocaleLowerCase() ?? ''
  const isLike = (known: string) => known.toLocaleLowerCase().includes(words)
  const saved = Object.values(profile?.savedAddresses ?? {})
    .sort((a, b) => b.count - a.count)
    .map(({ lat, lng, description }): Place => ({ lat, lng, add: description }))
  // Read once for as long as they are shown: a place another field has just found would push the others away.
  const showsKnown = open || pick !== null
  const recent = useMemo(() => (showsKnown ? recentPlaces() : []), [showsKnown])
  const others = recent.filter(({ add }) => !saved.some((place) => place.add === add))
  const known = (places: Place[], most: number, icon: Option['icon']): Option[] =>
    places
      .filter(({ add }) => isLike(add))
      .slice(0, most)
      .map((place) => ({
        key: place.add,
        text: place.add,
        icon,
        choose: () => Promise.resolve(place),
      }))
  const options: Option[] = found
    ? found.map((suggestion) => ({
        key: suggestion.place_id,
        text: suggestion.description,
        icon: 'pin',
        choose: () => placeOf(suggestion),
      }))
    : [
        ...(offersPosition && !words
          ? [{ key: 'here', text: t('use_my_location'), icon: 'dot' as const, choose: myPosition }]
          : []),
        ...known(saved, 4, 'star'),
        ...known(others, 3, 'clock'),
        { key: 'map', text: t('choose_on_map'), icon: 'pin', choose: onMap },
      ]

  const last = options.length - 1
  const at = Math.min(keysAt, last)

  const bring = async (option: Option) => {
    setOpen(false)
    setAt(-1)
    setBringing(true)
    setProblem(null)
    if (option.key !== 'map') setTyped(option.text)
    const place = await option.choose().catch(() => {
      setProblem('unavailable')
      return null
    })
    setBringing(false)
    setTyped(null)
    forget()
    if (!place) return
    rememberPlace(place)
    onChange(place)
  }
  const choose = (option: Option) => {
    const work = bring(option)
    onLookup?.(work)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      if (event.key === 'ArrowDown') setAt(open && at < last ? at + 1 : 0)
      else setAt(open && at > 0 ? at - 1 : LAST)
    } else if (event.key === 'Enter' && open) {
      const option = options[at] ?? (found ? options[0] : undefined)
      if (!option) return
      event.preventDefault()
      choose(option)
    } else if (event.key === 'Escape' && open) {
      event.preventDefault()
      setOpen(false)
    }
  }
  const shown = problem ? t(problem) : error
  const showsList = open && (options.length > 0 || found !== null || busy)
  return (
    <div className={css.field}>
      <div className={css.row} data-wrong={shown ? true : undefined}>
        <span className={css.lead}>{lead}</span>
        <label className="visually-hidden" htmlFor={id}>
          {label}
        </label>
        <input
          id={id}
          className={css.input}
          role="combobox"
          type="text"
          dir={written(text)}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          placeholder={placeholder}
          value={text}
          aria-expanded={showsList}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={open && at >= 0 ? `${id}-${at}` : undefined}
          aria-invalid={shown ? true : undefined}
          aria-describedby={shown ? `${id}-error` : undefined}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setTyped(target.value)
            setOpen(true)
            setAt(-1)
            if (value) onChange(null)
            look(target.value)
          }}
        />
        {trail}
      </div>
      <ul
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        className={css.list}
        hidden={!showsList}
      >
        {options.map((option, index) => (
          <li
            // A row stays where it is and says something else when an answer comes: nothing moves under a finger.
            key={index}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            // Before the field loses its focus and closes the list.
            onMouseDown={(event) => {
              event.preventDefault()
              choose(option)
            }}
          >
            <Icon name={option.icon} size={18} />
            <span key={option.text} dir="auto">
              {option.text}
            </span>
          </li>
        ))}
        {options.length === 0 && showsList && (
          <li role="option" aria-selected="false" aria-disabled="true">
            {t(busy ? 'searching' : 'no_places')}
          </li>
        )}
      </ul>
      <span className="visually-hidden" role="status">
        {open && found && !busy ? t('places_found', { count: found.length }) : ''}
      </span>
      {pick && (
        <Suspense fallback={null}>
          <PlaceDialog
            title={label}
            start={value ?? near}
            known={[...saved, ...others]}
            onPick={pick.answer}
          />
        </Suspense>
      )}
      {shown && (
        <span className={css.problem} id={`${id}-error`} role="alert">
          <Icon name="warning" size={16} />
          {shown}
        </span>
      )}
    </div>
  )
}
