"""Comparisons of rows, and each goal with its figure.

A ratio is of two medians of one run, in cycles where both have them.
"""

from .cores import CoreRatio as CoreRatio
from .cores import CoreVerdict as CoreVerdict
from .cores import core_ratios as core_ratios
from .cores import core_verdicts as core_verdicts
from .files import FILES_WANTED as FILES_WANTED
from .files import FileRatio as FileRatio
from .files import Scaling as Scaling
from .files import file_ratios as file_ratios
from .files import scalings as scalings
from .generated import GENERATED as GENERATED
from .generated import GeneratedRatio as GeneratedRatio
from .generated import GeneratedVerdict as GeneratedVerdict
from .generated import PermutationRatio as PermutationRatio
from .generated import PermutationVerdict as PermutationVerdict
from .generated import generated_ratios as generated_ratios
from .generated import generated_verdicts as generated_verdicts
from .generated import permutation_ratios as permutation_ratios
from .generated import permutation_verdicts as permutation_verdicts
from .generation import GenerationVerdict as GenerationVerdict
from .generation import generation_verdict as generation_verdict
from .generation import generations as generations
from .other_tools import TOOLS_WANTED as TOOLS_WANTED
from .other_tools import ToolRatio as ToolRatio
from .other_tools import tool_ratios as tool_ratios
from .peers import MARGIN as MARGIN
from .peers import OURS as OURS
from .peers import PeerVerdict as PeerVerdict
from .peers import Ratio as Ratio
from .peers import ratios as ratios
from .peers import verdicts as verdicts
from .random_ciphers import RandomCost as RandomCost
from .random_ciphers import RandomVerdict as RandomVerdict
from .random_ciphers import random_costs as random_costs
from .random_ciphers import random_verdict as random_verdict
