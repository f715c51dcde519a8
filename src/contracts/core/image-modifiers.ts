import { z } from 'zod';
import { wireBoolean, wireNumber } from '../wire.ts';

const percentage = (name: string) => wireNumber.meta({ description: `${name}, in percent` });

export const flipModifier = z
  .object({
    type: z.literal('flip').meta({ description: 'Type of edit', type: 'string', enum: ['flip'] }),
    args: z
      .object({
        flip: z
          .object({
            horizontal: wireBoolean.meta({ description: 'Whether to flip horizontally' }),
            vertical: wireBoolean.meta({ description: 'Whether to flip vertically' }),
          })
          .meta({ description: 'Directions of the flip' }),
      })
      .meta({ description: 'Arguments of the flip' }),
  })
  .meta({ title: 'Flip' });

export const rotateModifier = z
  .object({
    type: z.literal('rotate').meta({ description: 'Type of edit' }),
    args: z
      .object({ angle: wireNumber.meta({ description: 'Angle in degrees, clockwise' }) })
      .meta({ description: 'Arguments of the rotation' }),
  })
  .meta({ title: 'Rotation' });

export const cropModifier = z
  .object({
    type: z.literal('crop').meta({ description: 'Type of edit' }),
    args: z
      .object({
        left: percentage('Left edge'),
        top: percentage('Upper edge'),
        width: percentage('Width'),
        height: percentage('Height'),
      })
      .meta({ description: 'Remaining area' }),
  })
  .meta({ title: 'Crop' });

/** An edit of an image. */
export const imageModifier = z.union([flipModifier, rotateModifier, cropModifier]).meta({ description: 'An edit' });
export type ImageModifier = z.output<typeof imageModifier>;

/** Description of an edit in the index: one of its forms, each with its required members. */
export const imageModifierDescribed = {
  description: 'An edit',
  type: 'object',
  required: ['type', 'args'],
  oneOf: [flipModifier, rotateModifier, cropModifier].map(describeForm),
};

function describeForm(form: z.ZodObject) {
  const { title, properties } = z.toJSONSchema(form, {
    io: 'output',
    override({ jsonSchema }) {
      delete jsonSchema.additionalProperties;
      if (jsonSchema.const === undefined) return;
      jsonSchema.enum = [jsonSchema.const as string];
      delete jsonSchema.const;
    },
  });
  return { title, properties };
}
