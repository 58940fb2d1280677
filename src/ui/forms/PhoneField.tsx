import type { FieldValues } from 'react-hook-form'
import type { ComponentProps } from 'react'
import { PhoneInput } from '~/src/ui/PhoneInput'
import { type FieldOptions, toText, useField } from './fields'
import type { FieldBinding, FieldName } from './useSchemaForm'

/** Renders a phone field with its country; its value is the full number, +598…. */
export const PhoneField = <
  Values extends FieldValues,
  Name extends FieldName<Values, string | undefined>,
>({
  home,
  canChooseCountry,
  ...bound
}: FieldOptions &
  FieldBinding<Values, Name> &
  Pick<ComponentProps<typeof PhoneInput>, 'home' | 'canChooseCountry'>) => {
  const { value, inputProps } = useField(bound, toText)
  return <PhoneInput {...inputProps} {...{ home, canChooseCountry }} value={value ?? ''} />
}
