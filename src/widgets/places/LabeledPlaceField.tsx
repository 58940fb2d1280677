import type { ComponentProps } from 'react'
import { PlaceMark, type PlaceKind } from '~/src/ui/PlaceMark'
import { PlaceField } from './PlaceField'
import css from './LabeledPlaceField.module.css'

/** Renders a place field with its name above it, as the other fields of a dialog have it. */
export const LabeledPlaceField = ({
  label,
  kind = 'drop',
  required,
  ...props
}: Omit<ComponentProps<typeof PlaceField>, 'placeholder' | 'mark'> & { kind?: PlaceKind }) => (
  <div className={css.place}>
    {/* Hidden because the field has its own accessible name. */}
    <span aria-hidden className={css.label}>
      {label}
      {required && <span className={css.required}> *</span>}
    </span>
    <div className={css.frame}>
      <PlaceField
        {...props}
        label={label}
        required={required}
        placeholder={label}
        mark={<PlaceMark kind={kind} size={18} />}
      />
    </div>
  </div>
)
