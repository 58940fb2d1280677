import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { CarType, ChoiceOption } from '~/domain/entities'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { Money } from '~/src/ui/format'
import css from './ExtrasDialog.module.css'

const Choices = ({
  legend,
  choices,
  value,
  onChange,
}: {
  legend: string
  choices: ChoiceOption[]
  value: number
  onChange: (index: number) => void
}) => {
  const { t } = useTranslation()
  const name = useId()
  return (
    <fieldset className={css.choices}>
      <legend>{legend}</legend>
      {choices.map(({ description, amount }, index) => (
        <label key={description}>
          <input
            type="radio"
            name={name}
            checked={index === value}
            onChange={() => onChange(index)}
          />
          <span>{description}</span>
          <strong>
            {amount > 0 ? (
              <>
                + <Money amount={amount} />
              </>
            ) : (
              t('included')
            )}
          </strong>
        </label>
      ))}
    </fieldset>
  )
}

interface Extras {
  parcelTypeIndex: number
  optionIndex: number
}

/** Asked when the chosen vehicle has parcel types or options. */
export const ExtrasDialog = ({
  car,
  value,
  onChange,
  onDone,
  onClose,
}: {
  car: CarType
  value: Extras
  onChange: (value: Partial<Extras>) => void
  onDone: () => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('extras_title')}
      onClose={onClose}
      actions={
        <Button look="primary" size="large" wide onClick={onDone}>
          {t('extras_continue')}
        </Button>
      }
    >
      {car.parcelTypes && car.parcelTypes.length > 0 && (
        <Choices
          legend={t('extras_parcel')}
          choices={car.parcelTypes}
          value={value.parcelTypeIndex}
          onChange={(parcelTypeIndex) => onChange({ parcelTypeIndex })}
        />
      )}
      {car.options && car.options.length > 0 && (
        <Choices
          legend={t('extras_option')}
          choices={car.options}
          value={value.optionIndex}
          onChange={(optionIndex) => onChange({ optionIndex })}
        />
      )}
    </Dialog>
  )
}
