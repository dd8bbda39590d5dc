#pragma once

// Nothing to call: a program that is linked with this begins its heap with one large page.
