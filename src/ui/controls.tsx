import {
  type ButtonHTMLAttributes,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import css from './controls.module.css'
import { Icon } from './Icon'
import { Link } from './navigation/router'

const joinClasses = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ')

interface ButtonStyle {
  variant?: 'primary' | 'accent' | 'outline' | 'quiet' | 'danger'
  size?: 'small' | 'large'
  wide?: boolean
}
const getButtonClass = ({ variant = 'outline', size, wide }: ButtonStyle, extra?: string) =>
  joinClasses(css.button, css[variant], size && css[size], wide && css.wide, extra)

type ButtonProps = ButtonStyle &
  ButtonHTMLAttributes<HTMLButtonElement> & { busy?: boolean; ref?: Ref<HTMLButtonElement> }

/** Renders a button. While `busy`, it keeps its width and focus and does nothing. */
export const Button = ({
  variant,
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
    className={getButtonClass({ variant, size, wide })}
    aria-busy={busy || undefined}
    aria-disabled={busy || undefined}
    onClick={busy ? (event) => event.preventDefault() : onClick}
    {...rest}
  >
    {busy && <span className={css.spinner} aria-hidden="true" />}
    {children}
  </button>
)

/** Renders a link that looks like a button. */
export const ButtonLink = ({
  to,
  children,
  onClick,
  ...style
}: ButtonStyle & { to: string; children: ReactNode; onClick?: () => void }) => (
  <Link to={to} className={getButtonClass(style)} onClick={onClick}>
    {children}
  </Link>
)

/** Renders an icon as a link; `label` is its accessible name. */
export const IconLink = ({
  label,
  to,
  children,
}: {
  label: string
  to: string
  children: ReactNode
}) => (
  <Link
    to={to}
    className={getButtonClass({ variant: 'quiet' }, css.icon)}
    aria-label={label}
    title={label}
  >
    {children}
  </Link>
)

/** Renders an icon as a button; `label` is its accessible name. */
export const IconButton = ({
  label,
  variant = 'quiet',
  children,
  ...rest
}: Omit<ButtonProps, 'size' | 'wide' | 'busy'> & { label: string }) => (
  <button
    type="button"
    className={getButtonClass({ variant }, css.icon)}
    aria-label={label}
    title={label}
    {...rest}
  >
    {children}
  </button>
)

interface FieldProps {
  label: ReactNode
  /** Marks the field as required, also for screen readers. */
  required?: boolean | undefined
  hint?: ReactNode
  /** The translated error text. */
  error?: string | undefined
}
const FieldFrame = ({
  id,
  label,
  required,
  hint,
  error,
  children,
}: FieldProps & { id: string; children: ReactNode }) => (
  <div className={css.field}>
    <span className={css.label}>
      <label htmlFor={id}>{label}</label>
      {/* Outside the label, so that it does not become part of the field's name. */}
      {required && (
        <span className={css.required} aria-hidden="true">
          {' *'}
        </span>
      )}
    </span>
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
const getInputProps = (
  id: string,
  { required, hint, error, unit }: Pick<FieldProps, 'required' | 'hint' | 'error'> & WithUnit,
) => ({
  id,
  className: css.input,
  'aria-required': required || undefined,
  'aria-invalid': error ? (true as const) : undefined,
  'aria-describedby':
    joinClasses(
      unit?.text && `${id}-unit`,
      hint ? `${id}-hint` : undefined,
      error && `${id}-error`,
    ) || undefined,
})

/** The unit of the number in a field, such as $U or %. */
export interface FieldUnit {
  text: string
  /** True behind the number. */
  isAfter: boolean
}
interface WithUnit {
  unit?: FieldUnit | undefined
}
/** Shows the unit of an input beside it, in the order in which amounts are written. */
const UnitFrame = ({ id, unit, children }: WithUnit & { id: string; children: ReactNode }) =>
  unit?.text ? (
    <span className={joinClasses(css.withUnit, unit.isAfter && css.unitAfter)} dir="ltr">
      <span id={`${id}-unit`} className={css.unit}>
        {unit.text}
      </span>
      {children}
    </span>
  ) : (
    children
  )

/**
 * Returns the text direction of an input: left to right for numbers and machine addresses,
 * automatic for words.
 */
const getInputDirection = (type = 'text') =>
  /^(tel|email|url)$/.test(type) ? 'ltr' : /^(text|search)$/.test(type) ? 'auto' : undefined

export const TextInput = ({
  label,
  required,
  hint,
  error,
  unit,
  ...rest
}: FieldProps &
  WithUnit &
  InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) => {
  const generatedId = useId()
  const id = rest.id ?? generatedId
  return (
    <FieldFrame {...{ id, label, required, hint, error }}>
      <UnitFrame {...{ id, unit }}>
        <input
          dir={getInputDirection(rest.type)}
          {...rest}
          {...getInputProps(id, { required, hint, error, unit })}
        />
      </UnitFrame>
    </FieldFrame>
  )
}

export const TextArea = ({
  label,
  required,
  hint,
  error,
  ...rest
}: FieldProps &
  TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) => {
  const id = useId()
  return (
    <FieldFrame {...{ id, label, required, hint, error }}>
      <textarea dir="auto" {...rest} {...getInputProps(id, { required, hint, error })} />
    </FieldFrame>
  )
}

export const SelectInput = ({
  label,
  required,
  hint,
  error,
  children,
  ...rest
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> }) => {
  const id = useId()
  return (
    <FieldFrame {...{ id, label, required, hint, error }}>
      <select {...rest} {...getInputProps(id, { required, hint, error })}>
        {children}
      </select>
    </FieldFrame>
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

/** Renders two or three choices next to each other. */
export const SegmentedControl = <Value extends string>({
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
