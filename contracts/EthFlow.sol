// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface ISettlement {
    function domainSeparator() external view returns (bytes32);
    function filledAmount(bytes calldata orderUid) external view returns (uint256);
    function vaultRelayer() external view returns (address);
}

interface IWrappedNative {
    function approve(address spender, uint256 amount) external returns (bool);
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

/// Sells the native token for whoever sends it here: one transaction, no approval, no wrapping. It owns the orders and sells
/// the wrapped token; what is not sold goes back to the sender. An order never expires for the settlement contract, because
/// the sender's own `validTo` is kept here and ends the signature.
/// It has the interface of the contract that public networks have at `ethFlow` in shared/networks.ts.
contract EthFlow {
    /// What the sender chooses. `quoteId` is only announced, and `validTo` is no part of what is signed.
    struct Data {
        address buyToken;
        address receiver;
        uint256 sellAmount;
        uint256 buyAmount;
        bytes32 appData;
        uint256 feeAmount;
        uint32 validTo;
        bool partiallyFillable;
        int64 quoteId;
    }

    /// `GPv2Order.Data` of the settlement contract: what is signed.
    struct SignedOrder {
        address sellToken;
        address buyToken;
        address receiver;
        uint256 sellAmount;
        uint256 buyAmount;
        uint32 validTo;
        bytes32 appData;
        uint256 feeAmount;
        bytes32 kind;
        bool partiallyFillable;
        bytes32 sellTokenBalance;
        bytes32 buyTokenBalance;
    }

    enum OnchainSigningScheme {
        Eip1271,
        PreSign
    }

    struct OnchainSignature {
        OnchainSigningScheme scheme;
        bytes data;
    }

    struct Placement {
        address owner;
        uint32 validTo;
    }

    event OrderPlacement(address indexed sender, SignedOrder order, OnchainSignature signature, bytes data);
    /// The owner ended a live order.
    event OrderInvalidation(bytes orderUid);
    /// An expired order was paid back; anybody may do that.
    event OrderRefund(bytes orderUid, address indexed refunder);

    error EthTransferFailed();
    error IncorrectEthAmount();
    error NotAllowedToInvalidateOrder(bytes32 orderHash);
    error NotAllowedZeroSellAmount();
    error OrderIsAlreadyExpired();
    error OrderIsAlreadyOwned(bytes32 orderHash);
    error ReceiverMustBeSet();

    bytes32 private constant ORDER_TYPE_HASH = keccak256(
        "Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,"
        "bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)"
    );
    bytes32 private constant KIND_SELL = keccak256("sell");
    bytes32 private constant BALANCE_ERC20 = keccak256("erc20");
    bytes4 private constant ERC1271_MAGIC = 0x1626ba7e;
    bytes4 private constant ERC1271_REFUSED = 0xffffffff;
    /// Owner of an order that is over, so that its hash is never used again.
    address private constant INVALIDATED = address(type(uint160).max);

    ISettlement public immutable cowSwapSettlement;
    IWrappedNative public immutable wrappedNativeToken;
    bytes32 private immutable domainSeparator;

    /// By order digest. Nobody owns an unknown order.
    mapping(bytes32 => Placement) public orders;

    constructor(ISettlement settlement, IWrappedNative wrappedNative) {
        cowSwapSettlement = settlement;
        wrappedNativeToken = wrappedNative;
        domainSeparator = settlement.domainSeparator();
        wrappedNative.approve(settlement.vaultRelayer(), type(uint256).max);
    }

    /// Unwrapping pays in here.
    receive() external payable {}

    /// Places an order of the sender, paid with this call, and announces it to the order book.
    function createOrder(Data calldata order) external payable returns (bytes32 orderHash) {
        if (msg.value != order.sellAmount + order.feeAmount) revert IncorrectEthAmount();
        if (order.sellAmount == 0) revert NotAllowedZeroSellAmount();
        if (order.validTo < block.timestamp) revert OrderIsAlreadyExpired();

        SignedOrder memory signed = toSignedOrder(order);
        orderHash = digest(signed);
        if (orders[orderHash].owner != address(0)) revert OrderIsAlreadyOwned(orderHash);
        orders[orderHash] = Placement(msg.sender, order.validTo);
        emit OrderPlacement(
            msg.sender,
            signed,
            OnchainSignature(OnchainSigningScheme.Eip1271, abi.encodePacked(address(this))),
            abi.encodePacked(order.quoteId, order.validTo)
        );
    }

    /// Ends an order and pays back what was not sold: its owner may do that at any time, everybody after it has expired.
    function invalidateOrder(Data calldata order) external {
        (bool allowed, bytes32 orderHash) = invalidate(order);
        if (!allowed) revert NotAllowedToInvalidateOrder(orderHash);
    }

    /// The same for several orders, passing over those that are not the caller's to end.
    function invalidateOrdersIgnoringNotAllowed(Data[] calldata orderArray) external {
        for (uint256 i = 0; i < orderArray.length; ++i) invalidate(orderArray[i]);
    }

    /// EIP-1271. What was placed here is the signature; the bytes that come with it are not looked at.
    function isValidSignature(bytes32 orderHash, bytes calldata) external view returns (bytes4) {
        Placement memory placement = orders[orderHash];
        bool live = placement.owner != address(0) && placement.owner != INVALIDATED;
        return live && placement.validTo >= block.timestamp ? ERC1271_MAGIC : ERC1271_REFUSED;
    }

    /// Before a settlement: makes everything here the token that is sold.
    function wrapAll() external {
        wrap(address(this).balance);
    }

    function wrap(uint256 amount) public {
        wrappedNativeToken.deposit{value: amount}();
    }

    function unwrap(uint256 amount) external {
        wrappedNativeToken.withdraw(amount);
    }

    function invalidate(Data calldata order) private returns (bool allowed, bytes32 orderHash) {
        orderHash = digest(toSignedOrder(order));
        Placement memory placement = orders[orderHash];
        bool live = placement.validTo >= block.timestamp;
        allowed = placement.owner != address(0) && placement.owner != INVALIDATED
            && (!live || placement.owner == msg.sender);
        if (!allowed) return (false, orderHash);

        // before any payment, so that an owner who calls back finds nothing to be paid twice
        orders[orderHash].owner = INVALIDATED;
        bytes memory orderUid = abi.encodePacked(orderHash, address(this), type(uint32).max);
        if (live) emit OrderInvalidation(orderUid);
        else emit OrderRefund(orderUid, msg.sender);

        payBack(placement.owner, order.sellAmount, order.feeAmount, cowSwapSettlement.filledAmount(orderUid));
    }

    /// What was not sold, and the fee of that part. Never more than is left: the fees that fills took, each rounded down, are
    /// together at most the rounded fee of all that was filled.
    function payBack(address owner, uint256 sellAmount, uint256 feeAmount, uint256 filled) private {
        uint256 amount = sellAmount - filled + feeAmount - (feeAmount * filled) / sellAmount;
        if (address(this).balance < amount) wrappedNativeToken.withdraw(amount - address(this).balance);
        (bool success,) = owner.call{value: amount}("");
        if (!success) revert EthTransferFailed();
    }

    function toSignedOrder(Data calldata order) private view returns (SignedOrder memory) {
        // the owner of the order is this contract, which is where the zero address would send what was bought
        if (order.receiver == address(0)) revert ReceiverMustBeSet();
        return SignedOrder({
            sellToken: address(wrappedNativeToken),
            buyToken: order.buyToken,
            receiver: order.receiver,
            sellAmount: order.sellAmount,
            buyAmount: order.buyAmount,
            validTo: type(uint32).max,
            appData: order.appData,
            feeAmount: order.feeAmount,
            kind: KIND_SELL,
            partiallyFillable: order.partiallyFillable,
            sellTokenBalance: BALANCE_ERC20,
            buyTokenBalance: BALANCE_ERC20
        });
    }

    /// EIP-712, in the settlement contract's domain. A static struct in memory is the encoding of its members.
    function digest(SignedOrder memory order) private view returns (bytes32) {
        bytes32 structHash = keccak256(abi.encodePacked(ORDER_TYPE_HASH, abi.encode(order)));
        return keccak256(abi.encodePacked(hex"1901", domainSeparator, structHash));
    }
}
