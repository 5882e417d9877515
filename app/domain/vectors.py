"""Embeddings, as stores and models hand them to each other."""

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
"""One embedding of unit length."""
