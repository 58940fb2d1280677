import type { ComponentProps } from 'react'
import { Icon } from '~/src/ui/Icon'
import { PlaceField } from '../home/PlaceField'
import css from './LabeledPlaceField.module.css'

/** Renders a place field with its name above it, as the other fields of a dialog have it. */
export const LabeledPlaceField = ({
  label,
  ...props
}: Omit<ComponentProps<typeof PlaceField>, 'placeholder' | 'lead'>) => (
  <div className={css.place}>
    {/* Hidden because the field has its own accessible name. */}
    <span aria-hidden className={css.label}>
      {label}
    </span>
    <div className={css.frame}>
      <PlaceField
        {...props}
        label={label}
        placeholder={label}
        lead={<Icon name="pin" size={18} />}
      />
    </div>
  </div>
)
