import {
  type ButtonHTMLAttributes,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useEffect,
  useId,
  useRef,
} from 'react'
import css from './controls.module.css'
import { Icon } from './Icon'
import { Link } from './place'

const join = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ')

interface Look {
  look?: 'primary' | 'accent' | 'outline' | 'quiet' | 'danger'
  size?: 'small' | 'large'
  wide?: boolean
}
const classOf = ({ look = 'outline', size, wide }: Look, extra?: string) =>
  join(css.button, css[look], size && css[size], wide && css.wide, extra)

type ButtonProps = Look &
  ButtonHTMLAttributes<HTMLButtonElement> & { busy?: boolean; ref?: Ref<HTMLButtonElement> }

/** While `busy` it keeps its width and its focus, and does nothing. */
export const Button = ({
  look,
  size,
  wide,
  busy,
  children,
  onClick,
  type,
  ...rest
}: ButtonProps) => (
  <button
    type={type ?? 'button'}
    className={classOf({ look, size, wide } as Look)}
    aria-busy={busy || undefined}
    aria-disabled={busy || undefined}
    onClick={busy ? (event) => event.preventDefault() : onClick}
    {...rest}
  >
    {busy && <span className={css.spinner} aria-hidden="true" />}
    {children}
  </button>
)

/** A link that looks like a button. */
export const ButtonLink = ({
  to,
  children,
  onClick,
  ...look
}: Look & { to: string; children: ReactNode; onClick?: () => void }) => (
  <Link to={to} className={classOf(look)} onClick={onClick}>
    {children}
  </Link>
)

/** `label` is its name for those who do not see the icon. */
export const IconButton = ({
  label,
  look = 'quiet',
  children,
  ...rest
}: Omit<ButtonProps, 'size' | 'wide' | 'busy'> & { label: string }) => (
  <button
    type="button"
    className={classOf({ look }, css.icon)}
    aria-label={label}
    title={label}
    {...rest}
  >
    {children}
  </button>
)

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  /** Already translated. */
  error?: string | undefined
}
const Frame = ({
  id,
  label,
  hint,
  error,
  children,
}: FieldProps & { id: string; children: ReactNode }) => (
  <div className={css.field}>
    <label className={css.label} htmlFor={id}>
      {label}
    </label>
    {children}
    {hint && (
      <span className={css.hint} id={`${id}-hint`}>
        {hint}
      </span>
    )}
    {error && (
      <span className={css.problem} id={`${id}-error`} role="alert">
        <Icon name="warning" size={16} />
        {error}
      </span>
    )}
  </div>
)
const described = (id: string, { hint, error }: Pick<FieldProps, 'hint' | 'error'>) => ({
  id,
  className: css.input,
  'aria-invalid': error ? (true as const) : undefined,
  'aria-describedby': join(hint ? `${id}-hint` : undefined, error && `${id}-error`) || undefined,
})

/** Numbers and addresses of machines are written from the left, words as they come. */
const directionIn = (type = 'text') =>
  /^(tel|email|url)$/.test(type) ? 'ltr' : /^(text|search)$/.test(type) ? 'auto' : undefined

export const TextInput = ({
  label,
  hint,
  error,
  ...rest
}: FieldProps & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) => {
  const made = useId()
  const id = rest.id ?? made
  return (
    <Frame {...{ id, label, hint, error }}>
      <input dir={directionIn(rest.type)} {...rest} {...described(id, { hint, error })} />
    </Frame>
  )
}

export const TextArea = ({
  label,
  hint,
  error,
  ...rest
}: FieldProps &
  TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) => {
  const id = useId()
  return (
    <Frame {...{ id, label, hint, error }}>
      <textarea dir="auto" {...rest} {...described(id, { hint, error })} />
    </Frame>
  )
}

export const SelectInput = ({
  label,
  hint,
  error,
  children,
  ...rest
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> }) => {
  const id = useId()
  return (
    <Frame {...{ id, label, hint, error }}>
      <select {...rest} {...described(id, { hint, error })}>
        {children}
      </select>
    </Frame>
  )
}

export const Checkbox = ({
  label,
  ...rest
}: { label: ReactNode } & InputHTMLAttributes<HTMLInputElement>) => (
  <label className={css.check}>
    <input type="checkbox" {...rest} />
    <span>{label}</span>
  </label>
)

/** Two or three answers side by side. */
export const Segments = <Value extends string>({
  legend,
  value,
  onChange,
  options,
}: {
  legend: string
  value: Value
  onChange: (value: Value) => void
  options: { value: Value; label: ReactNode }[]
}) => {
  const name = useId()
  return (
    <fieldset className={css.segments}>
      <legend className="visually-hidden">{legend}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}

export type Tone = 'muted' | 'news' | 'warning' | 'success' | 'danger' | 'primary'

/** A state in one word, never by colour alone. */
export const StatusChip = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={css.chip} style={{ '--tone': `var(--${tone})` } as React.CSSProperties}>
    {children}
  </span>
)

/** A row of tabs, moved through with the arrow keys. */
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
  const move = (event: React.KeyboardEvent<HTMLDivElement>) => {
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
  // The chosen one is in sight, also where they do not all fit; the page itself stays where it is.
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
